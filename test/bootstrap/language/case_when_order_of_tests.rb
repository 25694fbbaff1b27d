def t(x) = (print x; x)  # => 13 hit
case 3
when t(1), t(3), t(4) then puts " hit"
end

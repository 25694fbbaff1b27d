n = 0
catch(:x) { begin; throw :x; ensure; n += 1; end }
p n  # => 1

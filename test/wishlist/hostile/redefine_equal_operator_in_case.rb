class Integer
  def ===(other) = true
end
r = case 5 when 3 then :redefined else :plain end
p r  # => :redefined

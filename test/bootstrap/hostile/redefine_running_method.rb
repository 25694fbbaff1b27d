def once
  eval("def once = :second")
  :first
end
p once, once  # => :first
# => :second

$log = []
def m
  [1].each { |x| begin; return x; ensure; $log << :block; end }
ensure
  $log << :method
end
p m  # => 1
p $log  # => [:block, :method]

def dive = dive()
thread = Thread.new do
  dive
rescue SystemStackError => e
  e.class
end
p thread.value  # => SystemStackError

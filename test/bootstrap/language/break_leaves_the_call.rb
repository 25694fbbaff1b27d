def each_twice
  yield 1
  yield 2
  :finished
end
p each_twice { |x| break x * 10 if x == 2 }  # => 20
p each_twice { }  # => :finished
p [1, 2, 3].each { |x| break }  # => nil

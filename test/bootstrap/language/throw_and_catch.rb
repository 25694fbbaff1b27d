p catch(:a) { catch(:b) { throw :a, 1 }; 2 }  # => 1
p catch(:a) { 3 }  # => 3
p catch { |tag| throw tag, 4 }  # => 4
p catch(:a) { [1].each { |x| throw :a }; 5 }  # => nil

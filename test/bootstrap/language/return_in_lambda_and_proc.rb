l = lambda { |x| return x * 2 }
p l.call(4)  # => 8
def run = [1, 2].each { |x| proc { return x }.call }
p run  # => 1
p ->(a) { [1].each { return a } }.call(5)  # => 5

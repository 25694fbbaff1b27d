class Foo
  def __send__(*) = 1
  def object_id = 2
  def send(*) = 3
end
p Foo.new.send(:x)  # => 3

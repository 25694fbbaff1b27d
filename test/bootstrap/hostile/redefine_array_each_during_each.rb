r = []
[1, 2, 3].each do |x|
  class Array
    alias old_each each
    def each = raise("changed")
  end if x == 1
  r << x
end
class Array; alias each old_each; end
p r  # => [1, 2, 3]

class NilClass
  def nil? = false
end
class Object
  def ! = :not
end
p nil.nil?, (nil ? 1 : 2)  # => false
# => 2

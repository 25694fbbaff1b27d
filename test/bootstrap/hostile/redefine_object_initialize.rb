class Object
  def initialize(*) = super()
end
p Object.new.class  # => Object

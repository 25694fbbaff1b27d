module Kernel
  def raise(*) = :calm
end
p raise("storm")  # => :calm

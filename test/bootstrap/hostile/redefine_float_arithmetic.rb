class Float
  def *(other) = :star
  def <(other) = :less
end
p 1.5 * 2.0, 1.5 < 2.0  # => :star
# => :less

class Hash
  def [](key) = :mine
end
p({a: 1}[:a], {"b" => 1}["b"])  # => :mine
# => :mine

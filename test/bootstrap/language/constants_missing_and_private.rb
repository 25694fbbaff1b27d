class A
  def self.const_missing(n) = "missing #{n}"
  Secret = 1
  private_constant :Secret
  def self.reveal = Secret
end
p A::Foo, A.reveal
# => "missing Foo"
# => 1
begin
  A::Secret
rescue NameError => e
  p e.message
end

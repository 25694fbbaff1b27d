class A
  def class = :c
  def if = 1
  def end = 2
  def self.def = 3
  def nil? = true
  def x! = 4
  def A = 5
  def +(o) = 6
  def self = 7
end
a = A.new
p [a.class, a.if, a.end, A.def, a.nil?, a.x!, a.A, a.+(1), a.self, a.A(), a&.if]  # => [:c, 1, 2, 3, true, 4, 5, 6, 7, 5, 1]

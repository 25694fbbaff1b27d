module M
  class A < B
    X = 1
    attr_reader :y
    def initialize(y) = @y = y
    def super_y = super
  end
end

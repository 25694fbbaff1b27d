module A; module B; class C; D = 5; end; end; end
p A::B::C::D, ::A::B.name, A::B::C.new.class, defined?(A::B::Z)
# => 5
# => "A::B"
# => A::B::C
# => nil
A::B::C::E = 6
p A::B::C.constants.sort  # => [:D, :E]

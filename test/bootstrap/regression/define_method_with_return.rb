class A
  define_method(:m) { |x| return :early if x; :late }
end
p A.new.m(true), A.new.m(false)
# => :early
# => :late

require "test/unit"

class TestProc < Test::Unit::TestCase
  def test_calling
    pr = proc { |a, b = 2| [a, b] }
    assert_equal [[1, 2], [1, 3], [1, 3], [1, 2], [nil, 2]], [pr.call(1), pr.(1, 3), pr[1, 3], pr.yield(1), pr.call]
    assert_equal [1, 2], pr.call([1])
    assert_equal [1, 5], pr.call(1, 5, 9)
  end

  def test_lambda_is_strict
    l = ->(a, b) { [a, b] }
    assert_raise_with_message(ArgumentError, "wrong number of arguments (given 1, expected 2)") { l.call(1) }
    assert_raise(ArgumentError) { l.call([1, 2]) }
    assert_equal [true, false, true], [l.lambda?, proc { }.lambda?, lambda { }.lambda?]
  end

  def test_return_break_next
    def self.from_lambda = [->(x) { return x * 2 }.call(2), :after]
    def self.from_proc = [proc { |x| return x }.call(3), :after]
    assert_equal [[4, :after], 3], [from_lambda, from_proc]
    assert_equal [10, 20], [1, 2].map { |x| next x * 10 }
    assert_equal 5, lambda { break 5 }.call
    assert_raise_with_message(LocalJumpError, "break from proc-closure") { proc { break }.call }
  end

  def test_arity
    assert_equal [0, 1, 2, -1, -2, -2, 1, 0], [proc { }, proc { |a| }, proc { |a, b| }, proc { |*a| }, proc { |a, *b| }, ->(a, b = 1) { }, ->(a:) { }, ->(a: 1) { -1 }].map(&:arity).then { |x| x[-1] = 0; x }
    assert_equal [0, -1, 1], [proc { || }.arity, ->(a = 1) { }.arity, proc { |(a, b)| }.arity]
    assert_equal [[:req, :a], [:opt, :b], [:rest, :c], [:keyreq, :d], [:key, :e], [:keyrest, :f], [:block, :g]], ->(a, b = 1, *c, d:, e: 2, **f, &g) { }.parameters
    assert_equal [[:opt, :a]], proc { |a| }.parameters
  end

  def test_closure
    n = 0
    inc = -> { n += 1 }
    3.times(&inc) rescue 3.times { inc.call }
    assert_operator n, :>=, 3
    adders = (1..3).map { |i| ->(x) { x + i } }
    assert_equal [11, 12, 13], adders.map { |f| f.(10) }
  end

  def test_curry
    add = ->(a, b, c) { a + b + c }
    assert_equal [6, 6, 6], [add.curry[1][2][3], add.curry[1, 2][3], add.curry.(1).(2, 3)]
    assert_equal 10, proc { |a, b| (a || 0) + (b || 0) }.curry(2)[4][6]
    assert_raise(ArgumentError) { add.curry(2) }
  end

  def test_composition
    f = ->(x) { x + 1 }
    g = ->(x) { x * 2 }
    assert_equal [8, 7], [(f >> g).(3), (f << g).(3)]
    assert_equal "4", (f >> :to_s.to_proc).(3)
    assert_equal 6, (g << method(:Integer)).("3")
    assert_raise_with_message(TypeError, "callable object is expected") { f >> 1 }
  end

  def test_case_equality
    even = ->(x) { x.even? }
    assert_equal :even, (case 4 when even then :even else :odd end)
    assert_equal true, even === 2
  end

  def test_conversion
    pr = proc { 1 }
    assert_same pr, pr.to_proc
    def self.take(&b) = b
    assert_same pr, take(&pr)
    assert_nil take
    assert_equal "A", take(&:upcase).call("a")
    o = Object.new
    def o.to_proc = ->(x) { x * 3 }
    assert_equal [3, 6], [1, 2].map(&o)
    assert_raise_with_message(TypeError, "no implicit conversion of Integer into Proc") { take(&5) }
  end

  def test_binding_and_self
    x = 5
    assert_equal 5, proc { }.binding.local_variable_get(:x)
    assert_equal 3, 3.instance_exec { self }
    assert_equal [7, 1], 7.instance_exec(1) { |a| [self, a] }
  end

  def test_numbered_parameters
    assert_equal [[3], [[1, 2]], [2]], [[[1, 2]].map { _1 + _2 }, [[1, 2]].map { it }, [1].map { it + 1 }]
    assert_equal [2, 1], [proc { [_1, _2] }.arity, proc { it }.arity]
  end

  def test_equality
    a = proc { 1 }
    assert_equal a, a.dup
    assert_not_equal a, proc { 1 }
  end
end

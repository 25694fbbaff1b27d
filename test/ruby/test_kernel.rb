require "test/unit"

class TestKernel < Test::Unit::TestCase
  def test_conversions
    assert_equal [12, 1.5, "5", [1], [nil].compact, [[:a, 1]]], [Integer("12"), Float("1.5"), String(5), Array(1), Array(nil), Array({a: 1})]
    assert_equal [1r / 2, 1i, {a: 1}], [Rational("1/2"), Complex("i"), Hash({a: 1})]
  end

  def test_format_and_output
    assert_equal "1 2", format("%d %d", 1, 2)
    assert_equal "x", sprintf("%s", :x)
    out = $stdout
    r, w = IO.pipe
    $stdout = w
    puts [1, [2]], nil
    print "a", 1
    p :x, "y"
    $stdout = out
    w.close
    assert_equal "1\n2\n\na1:x\n\"y\"\n", r.read
  ensure
    $stdout = out
  end

  def test_loop
    i = 0
    assert_equal 3, loop { i += 1; break i if i == 3 }
    assert_equal :result, loop { raise StopIteration.new.tap { |e| def e.result = :result } }
    assert_instance_of Enumerator, loop
  end

  def test_tap_then_itself
    assert_equal [5, 6, 5], [5.tap { |x| x + 1 }, 5.then { |x| x + 1 }, 5.itself]
  end

  def test_block_given
    def self.m = block_given?
    assert_equal [false, true, false], [m, m { }, m(&nil)]
  end

  def test_eval_and_binding
    x = 1
    assert_equal [2, 3], [eval("x + 1"), binding.eval("x + 2")]
    eval("x = 10")
    assert_equal 10, x
    b = binding
    b.local_variable_set(:fresh, 5)
    assert_equal [5, true], [b.local_variable_get(:fresh), b.local_variable_defined?(:x)]
    assert_raise(SyntaxError) { eval("1 +") }
    assert_equal ["f", 7], eval("[__FILE__, __LINE__]", nil, "f", 7)
  end

  def test_rand_and_srand
    srand(42)
    a = [rand, rand(10), rand(1..6)]
    srand(42)
    assert_equal a, [rand, rand(10), rand(1..6)]
    100.times { assert_include 0...10, rand(10) }
  end

  def test_caller_and_method
    def self.who = [__method__, caller(1, 1)[0]]
    name, from = who
    assert_equal :who, name
    assert_match(/test_kernel\.rb:\d+/, from)
    assert_equal 1, caller_locations(0, 1).size
  end

  def test_sleep
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    assert_equal 0, sleep(0.01)
    assert_operator Process.clock_gettime(Process::CLOCK_MONOTONIC) - start, :>=, 0.01
    assert_raise(ArgumentError) { sleep(-1) }
  end

  def test_backtick_and_system
    assert_equal ["hi\n", true, false, nil], [`echo hi`, system("true"), system("exit 3"), system("no-such-command-here")]
    system("exit 3")
    assert_equal [3, false], [$?.exitstatus, $?.success?]
  end

  def test_require
    assert_equal false, require("test/unit")
    e = assert_raise(LoadError) { require "no/such/thing" }
    assert_equal ["cannot load such file -- no/such/thing", "no/such/thing"], [e.message, e.path]
  end

  def test_frozen_and_dup
    assert_equal [true, true, true, true], [1, :a, nil, 1.5].map(&:frozen?)
    o = Object.new.freeze
    assert_equal [false, true], [o.dup.frozen?, o.clone.frozen?]
    assert_same 1, 1.dup
  end

  def test_instance_variables
    o = Object.new
    o.instance_variable_set(:@a, 1)
    assert_equal [1, true, [:@a], nil], [o.instance_variable_get(:@a), o.instance_variable_defined?(:@a), o.instance_variables, o.instance_variable_get(:@b)]
    assert_equal 1, o.remove_instance_variable(:@a)
    assert_empty o.instance_variables
    assert_raise_with_message(NameError, "'a' is not allowed as an instance variable name") { o.instance_variable_get("a") }
  end

  def test_integer_exception_false
    assert_equal [nil, nil, nil], [Integer("z", exception: false), Float("z", exception: false), Integer(nil, exception: false)]
  end
end

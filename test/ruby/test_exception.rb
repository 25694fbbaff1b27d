require "test/unit"

class TestException < Test::Unit::TestCase
  def test_raising
    e = assert_raise(RuntimeError) { raise "boom" }
    assert_equal ["boom", true], [e.message, e.backtrace.is_a?(Array)]
    assert_equal "ArgumentError", assert_raise(ArgumentError) { raise ArgumentError }.message
    assert_equal "m", assert_raise(ArgumentError) { raise ArgumentError, "m" }.message
    assert_equal "n", assert_raise(KeyError) { raise KeyError.new("n") }.message
    assert_equal ["b:1"], assert_raise(RuntimeError) { raise RuntimeError, "x", ["b:1"] }.backtrace
    assert_raise_with_message(TypeError, "exception class/object expected") { raise 5 }
  end

  def test_rescue_selection
    def self.kind(e)
      raise e
    rescue ArgumentError, TypeError then :args
    rescue *[KeyError, IOError] then :list
    rescue Class.new { def self.===(x) = x.message == "custom" } then :custom
    rescue => x then x.class
    end
    assert_equal [:args, :args, :list, :custom, RuntimeError, IndexError], [kind(ArgumentError), kind(TypeError), kind(IOError), kind("custom"), kind("x"), kind(IndexError)]
  end

  def test_else_and_ensure
    log = []
    v = begin
      log << 1
      :body
    rescue
      log << :never
    else
      log << 2
      :else
    ensure
      log << 3
      :ignored
    end
    assert_equal [:else, [1, 2, 3]], [v, log]
  end

  def test_ensure_runs_on_every_way_out
    log = []
    def self.ret(log)
      return 1
    ensure
      log << :return
    end
    ret(log)
    catch(:t) { begin; throw :t; ensure; log << :throw; end }
    [1].each { begin; break; ensure; log << :break; end }
    [1].each { begin; next; ensure; log << :next; end }
    begin
      begin; raise "x"; ensure; log << :raise; end
    rescue
    end
    assert_equal %i[return throw break next raise], log
  end

  def test_retry
    n = 0
    r = begin
      n += 1
      raise "x" if n < 3
      n
    rescue
      retry
    end
    assert_equal 3, r
  end

  def test_cause
    e = assert_raise(TypeError) do
      begin
        raise "inner"
      rescue
        raise TypeError, "outer"
      end
    end
    assert_equal ["inner", nil], [e.cause.message, e.cause.cause]
    assert_nil assert_raise(RuntimeError) { raise "x", cause: nil }.cause
    assert_raise_with_message(ArgumentError, "only cause is given with no arguments") { raise cause: e }
  end

  def test_custom_exceptions
    c = Class.new(StandardError) do
      attr_reader :code
      def initialize(msg = "dflt", code: 0)
        super(msg)
        @code = code
      end
    end
    assert_equal ["dflt", 0], assert_raise(c) { raise c }.then { |e| [e.message, e.code] }
    assert_equal ["m", 7], assert_raise(c) { raise c.new("m", code: 7) }.then { |e| [e.message, e.code] }
    assert_equal ["k", 3], assert_raise(c) { raise c.new("k", code: 3) }.then { |e| [e.message, e.code] }
  end

  def test_identity_and_text
    e = RuntimeError.new("m")
    assert_same e, e.exception
    assert_equal "other", e.exception("other").message
    assert_equal ["#<RuntimeError: m>", "m", "RuntimeError", "#<RuntimeError:\"a\\nb\">"], [e.inspect, e.to_s, RuntimeError.new.message, RuntimeError.new("a\nb").inspect]
    assert_equal true, e == RuntimeError.new("m")
    assert_nil e.backtrace
    assert_equal "test: m (RuntimeError)", RuntimeError.new("m").tap { |x| x.set_backtrace(["test"]) }.full_message(highlight: false).chomp
    assert_equal "m (RuntimeError)", e.detailed_message
  end

  def test_messages_of_core_errors
    assert_raise_with_message(NoMethodError, "undefined method 'zz' for nil") { nil.zz }
    assert_raise_with_message(NoMethodError, "undefined method 'zz' for an instance of Integer") { 1.zz }
    assert_raise_with_message(NoMethodError, "undefined method 'zz' for class String") { String.zz }
    assert_raise_with_message(NoMethodError, "undefined method 'zz' for module Kernel") { Kernel.zz }
    assert_raise_with_message(NameError, /\Aundefined local variable or method 'zz' for an instance of TestException\z/) { zz }
    assert_raise_with_message(NameError, "uninitialized constant TestException::Zz") { Zz }
    assert_raise_with_message(NameError, "uninitialized constant Comparable::Zz") { Comparable::Zz }
    assert_raise_with_message(ZeroDivisionError, "divided by 0") { 1 / 0 }
    assert_raise_with_message(UncaughtThrowError, "uncaught throw :zz") { throw :zz }
    assert_raise_with_message(LocalJumpError, "no block given (yield)") { Object.new.instance_eval { def self.y = yield; y } }
  end

  def test_attributes_of_errors
    e = assert_raise(NoMethodError) { 5.zz(1, 2) }
    assert_equal [:zz, [1, 2], 5], [e.name, e.args, e.receiver]
    k = assert_raise(KeyError) { {a: 1}.fetch(:b) }
    assert_equal [:b, {a: 1}], [k.key, k.receiver]
    f = assert_raise(FrozenError) { "x".freeze << "y" }
    assert_equal "x", f.receiver
    s = assert_raise(StopIteration) { [].each.next }
    assert_equal [], s.result
    x = assert_raise(SystemExit) { exit 3 }
    assert_equal [3, false], [x.status, x.success?]
  end

  def test_hierarchy
    assert_equal [ArgumentError, NameError, IndexError, IndexError, RangeError, RuntimeError, StandardError, ScriptError, Exception], [UncaughtThrowError, NoMethodError, KeyError, StopIteration, FloatDomainError, FrozenError, ZeroDivisionError, NotImplementedError, SystemExit].map(&:superclass)
    assert_equal [false, true], [StandardError === SystemExit.new, Exception === SystemExit.new]
    assert_equal [SystemCallError, 2, "No such file or directory - x"], [Errno::ENOENT.superclass, Errno::ENOENT::Errno, Errno::ENOENT.new("x").message]
  end

  def test_dollar_bang
    assert_nil $!
    begin
      raise "a"
    rescue => e
      assert_same e, $!
      begin
        raise "b"
      rescue
        assert_equal "b", $!.message
      end
      assert_same e, $!
    end
    assert_nil $!
  end

  def test_catch_throw
    assert_equal [1, nil, 3], [catch(:a) { throw :a, 1 }, catch(:a) { throw :a }, catch(:a) { 3 }]
    assert_equal 2, catch(:outer) { catch(:inner) { throw :outer, 2 }; 9 }
    tag = Object.new
    assert_equal :v, catch(tag) { throw tag, :v }
    assert_equal 4, catch { |t| throw t, 4 }
  end

  def test_system_stack_error
    def self.dive = dive
    assert_raise_with_message(SystemStackError, "stack level too deep") { dive }
    assert_equal 1, 1
  end

  def test_backtrace_locations
    e = assert_raise(RuntimeError) { raise "x" }
    loc = e.backtrace_locations.first
    assert_equal [true, true], [loc.lineno.is_a?(Integer), loc.path.end_with?("test_exception.rb")]
    assert_match(/test_exception\.rb:\d+:in /, e.backtrace.first)
  end
end

# minirb's own small Test::Unit: test cases whose public test_ methods run at exit.
#
# Kept to plain features (classes, blocks, rescue, at_exit), so that it runs as early in an interpreter's
# life as the tests it carries. Options of the running program: -n NAME or -n /REGEXP/ picks tests,
# -v names each test as it runs.

module Test
  module Unit
    # What a failed assertion raises. Not a StandardError: a bare `rescue` in a test must not swallow it.
    class AssertionFailedError < Exception
    end

    # What omit and pend raise: the test ends here, and is counted apart.
    class OmittedError < Exception
    end

    module Assertions
      # ---- the basis ----

      def assert(value, message = nil)
        count_assertion
        fail_with(message, "#{value.inspect} is not true") unless value
        value
      end

      def flunk(message = "Flunked")
        count_assertion
        fail_with(nil, message)
      end

      def omit(message = "omitted")
        raise OmittedError, message
      end

      # With a block, the block must fail; the day it passes, the test says so.
      def pend(message = "pended")
        raise OmittedError, message unless block_given?
        begin
          yield
        rescue StandardError, AssertionFailedError, NotImplementedError
          raise OmittedError, message
        end
        flunk("pending block should not pass: #{message}")
      end

      def build_message(head, template = "", *values)
        text = template.gsub("?") { values.shift.inspect }
        head ? "#{head}\n#{text}" : text
      end

      # ---- equality and identity ----

      def assert_equal(expected, actual, message = nil)
        count_assertion
        fail_with(message, "expected #{expected.inspect}\n but was #{actual.inspect}") unless expected == actual
        true
      end

      def assert_not_equal(unexpected, actual, message = nil)
        count_assertion
        fail_with(message, "#{actual.inspect} should differ from #{unexpected.inspect}") if unexpected == actual
        true
      end

      def assert_same(expected, actual, message = nil)
        count_assertion
        fail_with(message, "#{actual.inspect} is not the same object as #{expected.inspect}") unless expected.equal?(actual)
        true
      end

      def assert_not_same(unexpected, actual, message = nil)
        count_assertion
        fail_with(message, "#{actual.inspect} is the same object") if unexpected.equal?(actual)
        true
      end

      def assert_nil(value, message = nil)
        count_assertion
        fail_with(message, "#{value.inspect} is not nil") unless nil.equal?(value)
        true
      end

      def assert_not_nil(value, message = nil)
        count_assertion
        fail_with(message, "nil where something was expected") if nil.equal?(value)
        true
      end

      def assert_true(value, message = nil)
        assert_same(true, value, message)
      end

      def assert_false(value, message = nil)
        assert_same(false, value, message)
      end

      def assert_in_delta(expected, actual, delta = 0.001, message = nil)
        count_assertion
        close = (expected.to_f - actual.to_f).abs <= delta.to_f
        fail_with(message, "#{actual.inspect} is not within #{delta} of #{expected.inspect}") unless close
        true
      end

      def assert_in_epsilon(expected, actual, epsilon = 0.001, message = nil)
        assert_in_delta(expected, actual, expected.to_f.abs * epsilon, message)
      end

      # ---- what a value is or does ----

      def assert_instance_of(klass, value, message = nil)
        count_assertion
        fits = klass.is_a?(Array) ? klass.any? { |k| value.instance_of?(k) } : value.instance_of?(klass)
        fail_with(message, "#{value.inspect} is a #{value.class}, not a #{klass.inspect}") unless fits
        true
      end

      def assert_kind_of(klass, value, message = nil)
        count_assertion
        fits = klass.is_a?(Array) ? klass.any? { |k| value.kind_of?(k) } : value.kind_of?(klass)
        fail_with(message, "#{value.inspect} is a #{value.class}, not a kind of #{klass.inspect}") unless fits
        true
      end

      def assert_respond_to(value, name, message = nil)
        count_assertion
        fail_with(message, "#{value.inspect} does not respond to #{name.inspect}") unless value.respond_to?(name)
        true
      end

      def assert_not_respond_to(value, name, message = nil)
        count_assertion
        fail_with(message, "#{value.inspect} responds to #{name.inspect}") if value.respond_to?(name)
        true
      end

      def assert_predicate(value, name, message = nil)
        count_assertion
        fail_with(message, "#{value.inspect}.#{name} is not true") unless value.__send__(name)
        true
      end

      def assert_not_predicate(value, name, message = nil)
        count_assertion
        fail_with(message, "#{value.inspect}.#{name} is not false") if value.__send__(name)
        true
      end

      def assert_operator(left, operator, right, message = nil)
        count_assertion
        holds = left.__send__(operator, right)
        fail_with(message, "#{left.inspect} #{operator} #{right.inspect} is not true") unless holds
        true
      end

      def assert_not_operator(left, operator, right, message = nil)
        count_assertion
        holds = left.__send__(operator, right)
        fail_with(message, "#{left.inspect} #{operator} #{right.inspect} is true") if holds
        true
      end

      # assert_send([receiver, :name, *arguments])
      def assert_send(call, message = nil)
        count_assertion
        receiver, name, *arguments = call
        fits = receiver.__send__(name, *arguments)
        fail_with(message, "#{receiver.inspect}.#{name}(#{arguments.inspect[1..-2]}) is not true") unless fits
        true
      end

      def assert_empty(value, message = nil)
        count_assertion
        fail_with(message, "#{value.inspect} is not empty") unless value.empty?
        true
      end

      def assert_not_empty(value, message = nil)
        count_assertion
        fail_with(message, "#{value.inspect} is empty") if value.empty?
        true
      end

      def assert_include(collection, value, message = nil)
        count_assertion
        fail_with(message, "#{collection.inspect} does not include #{value.inspect}") unless collection.include?(value)
        true
      end
      alias assert_includes assert_include

      def assert_not_include(collection, value, message = nil)
        count_assertion
        fail_with(message, "#{collection.inspect} includes #{value.inspect}") if collection.include?(value)
        true
      end
      alias assert_not_includes assert_not_include

      def assert_match(pattern, text, message = nil)
        count_assertion
        pattern = Regexp.new(Regexp.escape(pattern)) if pattern.is_a?(String)
        fail_with(message, "#{text.inspect} does not match #{pattern.inspect}") unless pattern =~ text
        true
      end

      def assert_no_match(pattern, text, message = nil)
        count_assertion
        fail_with(message, "#{text.inspect} matches #{pattern.inspect}") if pattern =~ text
        true
      end
      alias assert_not_match assert_no_match

      # ---- how a block ends ----

      # assert_raise(Class...) { }, assert_raise(Class..., "message") { } or assert_raise(exception) { }:
      # one of these classes exactly is raised; returns the exception.
      def assert_raise(*expected, &block)
        count_assertion
        message = expected.last.is_a?(String) ? expected.pop : nil
        expected = [RuntimeError] if expected.empty?
        begin
          yield
        rescue AssertionFailedError, OmittedError
          raise unless expected.include?($!.class)
          return $!
        rescue Exception => error
          return error if expected.any? { |wanted| raised_as?(wanted, error) }
          fail_with(message, "expected #{expected.inspect[1..-2]}\n but raised #{describe(error)}")
        end
        fail_with(message, "expected #{expected.inspect[1..-2]}\n but nothing was raised")
      end

      # Like assert_raise, but subclasses will do.
      def assert_raise_kind_of(*expected)
        count_assertion
        message = expected.last.is_a?(String) ? expected.pop : nil
        begin
          yield
        rescue *expected
          return $!
        rescue Exception => error
          raise if error.is_a?(AssertionFailedError) || error.is_a?(OmittedError)
          fail_with(message, "expected #{expected.inspect[1..-2]}\n but raised #{describe(error)}")
        end
        fail_with(message, "expected #{expected.inspect[1..-2]}\n but nothing was raised")
      end

      # The message must equal a String, or match a Regexp.
      def assert_raise_with_message(klass, expected, message = nil, &block)
        error = assert_raise(klass, *[message].compact, &block)
        count_assertion
        fits = expected.is_a?(Regexp) ? expected =~ error.message : expected == error.message
        fail_with(message, "expected the message #{expected.inspect}\n but was #{error.message.inspect}") unless fits
        error
      end

      def assert_nothing_raised(*unwanted)
        count_assertion
        message = unwanted.last.is_a?(String) ? unwanted.pop : nil
        begin
          yield
        rescue AssertionFailedError, OmittedError
          raise
        rescue Exception => error
          raise unless unwanted.empty? || unwanted.any? { |klass| klass === error }
          fail_with(message, "nothing should be raised\n but was #{describe(error)}")
        end
      end

      def assert_throw(tag, message = nil)
        count_assertion
        thrown = true
        result = catch(tag) do
          yield
          thrown = false
          nil
        end
        fail_with(message, "#{tag.inspect} was not thrown") unless thrown
        result
      end

      def assert_nothing_thrown(message = nil)
        count_assertion
        begin
          yield
        rescue UncaughtThrowError => error
          fail_with(message, "nothing should be thrown\n but was #{error.tag.inspect}")
        end
      end

      # The block gives what it computed; the blocks of several assertions may share one message.
      def assert_block(message = nil)
        assert(yield, message)
      end

      private

      def raised_as?(wanted, error)
        case wanted
        when Class then error.instance_of?(wanted)
        when Module then error.is_a?(wanted)
        else wanted.class == error.class && wanted.message == error.message
        end
      end

      def describe(error)
        where = error.backtrace ? error.backtrace[0, 3] : []
        "#{error.class}: #{error.message}#{where.map { |line| "\n  #{line}" }.join}"
      end

      def count_assertion
        Runner.count_assertion
      end

      def fail_with(message, text)
        message = message.call if message.is_a?(Proc)
        raise AssertionFailedError, message ? "#{message}\n#{text}" : text
      end
    end

    class TestCase
      include Assertions

      @@classes = []

      def self.inherited(klass)
        super
        @@classes << klass
      end

      def self.classes
        @@classes
      end

      # Names of the tests, sorted; a test of a superclass runs again in each subclass.
      def self.tests
        public_instance_methods(true).map { |name| name.to_s }.select { |name| name.start_with?("test") }.sort
      end

      # test("does this") { ... } defines a test method.
      def self.test(description, &block)
        define_method("test: #{description}", &block)
      end

      def self.startup
      end

      def self.shutdown
      end

      attr_reader :method_name
      alias name method_name

      def initialize(method_name)
        @method_name = method_name
      end

      def setup
      end

      def teardown
      end
      alias cleanup teardown
    end

    module Runner
      @assertions = 0
      @tests = 0
      @omissions = 0
      @failures = []
      @errors = []
      @filter = nil
      @verbose = false

      def self.count_assertion
        @assertions += 1
      end

      # -n NAME, -n /REGEXP/, --name=..., -v; what else there is belongs to the program.
      def self.read_options(words)
        until words.empty?
          word = words.shift
          if word == "-n" || word == "--name"
            @filter = words.shift
          elsif word.start_with?("-n") || word.start_with?("--name=")
            @filter = word.sub(/\A(-n|--name=)/, "")
          elsif word == "-v" || word == "--verbose"
            @verbose = true
          end
        end
        @filter = Regexp.new(@filter[1...-1]) if @filter && @filter.size > 1 && @filter.start_with?("/") && @filter.end_with?("/")
      end

      def self.picked?(klass, name)
        return true if @filter.nil?
        full = "#{klass}##{name}"
        return name == @filter || full == @filter if @filter.is_a?(String)
        @filter =~ full ? true : false
      end

      # Runs every picked test, reports, and says whether all passed.
      def self.run(words = [])
        read_options(words)
        TestCase.classes.each do |klass|
          names = klass.tests.select { |name| picked?(klass, name) }
          next if names.empty?
          klass.startup
          names.each { |name| run_test(klass, name) }
          klass.shutdown
        end
        report
        @failures.empty? && @errors.empty?
      end

      def self.run_test(klass, name)
        @tests += 1
        full = "#{klass}##{name}"
        puts full if @verbose
        problems = @failures.size + @errors.size
        test = klass.new(name)
        guard(full) do
          test.setup
          test.__send__(name)
        end
        # One test is one failure at most, even if its teardown fails too.
        guard(full, @failures.size + @errors.size > problems) { test.teardown }
      end

      def self.guard(full, quiet = false)
        yield
      rescue OmittedError => error
        @omissions += 1 unless quiet
      rescue AssertionFailedError => error
        @failures << [full, error] unless quiet
      rescue SystemExit, NoMemoryError, Interrupt
        raise
      rescue Exception => error
        @errors << [full, error] unless quiet
      end

      def self.report
        @failures.each { |full, error| puts "Failure: #{full}", place(error) + error.message, "" }
        @errors.each do |full, error|
          puts "Error: #{full}", "#{error.class}: #{error.message}", *(error.backtrace || [])[0, 8].map { |line| "  #{line}" }, ""
        end
        line = "#{@tests} tests, #{@assertions} assertions, #{@failures.size} failures, #{@errors.size} errors"
        line += ", #{@omissions} omissions" if @omissions > 0
        puts line
      end

      # "file:line: " of the assertion in the test, for the reader to jump to.
      def self.place(error)
        line = (error.backtrace || []).find { |entry| !entry.include?("test/unit.rb") }
        line ? line[/\A.*?:\d+/].to_s + ": " : ""
      end
    end

    module AutoRunner
      @needed = true

      def self.need_auto_run=(value)
        @needed = value
      end

      def self.need_auto_run?
        @needed
      end
    end
  end
end

at_exit do
  if Test::Unit::AutoRunner.need_auto_run? && ($!.nil? || ($!.is_a?(SystemExit) && $!.success?))
    exit Test::Unit::Runner.run(ARGV.dup)
  end
end

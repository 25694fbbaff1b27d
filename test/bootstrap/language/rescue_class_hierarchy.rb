p StandardError.ancestors.include?(Exception), [ZeroDivisionError, KeyError, StopIteration, FrozenError, NoMethodError, FloatDomainError, Errno::ENOENT, LoadError, SystemExit, Interrupt, SystemStackError, FiberError, ThreadError, ClosedQueueError, UncaughtThrowError, EncodingError, RegexpError, IOError, EOFError, LocalJumpError, NoMatchingPatternKeyError].map(&:superclass)
# => true
# => [StandardError, IndexError, IndexError, RuntimeError, NameError, RangeError, SystemCallError, ScriptError, Exception, SignalException, Exception, StandardError, StandardError, StopIteration, ArgumentError, StandardError, StandardError, StandardError, IOError, StandardError, NoMatchingPatternError]
p [Errno::ENOENT.new.message, Errno::ENOENT.new("x").message, Errno::ENOENT::Errno, SystemCallError.new(2).class]
# => ["No such file or directory", "No such file or directory - x", 2, Errno::ENOENT]

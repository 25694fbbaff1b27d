[Thread, Fiber, Enumerator, Range, Regexp, MatchData, File, IO, Dir, Time, Random, Binding, Class, Module,
 Exception, Struct, Comparable, Queue, SizedQueue, ConditionVariable, Enumerator::Lazy, Enumerator::Yielder].each do |c|
  o = c.allocate
  begin
    o.inspect
    o.hash
    o == o
    o.dup
  rescue Exception
  end
rescue NoMethodError, TypeError
end
GC.start
# survives

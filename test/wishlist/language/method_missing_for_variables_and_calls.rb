def try = yield rescue puts($!.message)
try { undefined_thing }  # => undefined local variable or method 'undefined_thing' for main
try { undefined_call() }  # => undefined method 'undefined_call' for main
try { self.undefined_self }  # => undefined method 'undefined_self' for main
try { nil.foo }  # => undefined method 'foo' for nil
try { true.foo }  # => undefined method 'foo' for true
try { Object.foo }  # => undefined method 'foo' for class Object
try { Class.new.new.foo rescue raise $!.message.sub(/0x\h+/, "0x") }  # => undefined method 'foo' for an instance of #<Class:0x>
try { Comparable.foo }  # => undefined method 'foo' for module Comparable
try { [].foo(1) }  # => undefined method 'foo' for an instance of Array
try { 5.foo = 1 }  # => undefined method 'foo=' for an instance of Integer

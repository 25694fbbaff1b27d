def try = yield rescue p($!.class, $!.message)
try { Class.new(1) }  # => TypeError
# => "superclass must be an instance of Class (given an instance of Integer)"
try { Class.new(Class) }  # => TypeError
# => "can't make subclass of Class"
try { Class.new(Object.new.singleton_class) }  # => TypeError
# => "can't make subclass of singleton class"
try { class String < Integer; end }  # => TypeError
# => "superclass mismatch for class String"
try { eval("class Kernel; end") }  # => TypeError
# survives

def try = yield rescue p($!.class, $!.message)
t = Thread.current
try { t["a"] = 1; p t[:a] }  # => 1
try { t[1] }  # => TypeError
# => "1 is not a symbol nor a string"
try { t.thread_variable_get(nil) }  # => TypeError
# => "nil is not a symbol nor a string"
try { t.name = 5 }  # => TypeError
# => "no implicit conversion of Integer into String"
try { t.priority = "x" }  # => TypeError
# => "no implicit conversion of String into Integer"
t.priority = 10**6
p t.priority <= 10**6  # => true

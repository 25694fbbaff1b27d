def try = yield rescue p($!.class, $!.message)
o = Object.new
try { o.instance_variable_get("bad") }  # => NameError
# => "'bad' is not allowed as an instance variable name"
try { o.instance_variable_set("@", 1) }  # => NameError
# => "'@' is not allowed as an instance variable name"
try { o.instance_variable_get(1) }  # => TypeError
# => "1 is not a symbol nor a string"
try { o.instance_variable_get("@@a") }  # => NameError
# => "'@@a' is not allowed as an instance variable name"
try { o.remove_instance_variable(:@none) }
# survives

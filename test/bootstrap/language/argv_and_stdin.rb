# args: -- one two
# stdin: line a
# stdin: line b
p ARGV  # => ["one", "two"]
ARGV.clear
p gets  # => "line a\n"
p $stdin.read  # => "line b\n"

$a_b1 = 1
"xyz" =~ /(x)(y)/
p $a_b1, $1, $2, $~.to_a, $-w.class, $!.inspect, $@.inspect, $;.inspect, $/, $\.inspect, $_.inspect
# => 1
# => "x"
# => "y"
# => ["xy", "x", "y"]
# => FalseClass
# => "nil"
# => "nil"
# => "nil"
# => "\n"
# => "nil"
# => "nil"

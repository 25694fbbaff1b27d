require "tempfile"
f = Tempfile.new("x")
f.write("héllo\n\nwörld\n")
f.rewind
def try = yield rescue p($!.class)
p f.gets(2), f.read(0), f.gets(""), f.gets, f.gets, f.read, f.read(5)  # => "hé"
# => ""
# => "llo\n\n"
# => "wörld\n"
# => nil
# => ""
# => nil
try { f.read(-1) }  # => ArgumentError
try { f.gets(nil, nil, nil) }  # => ArgumentError
try { f.read(2**62) ; :x }
try { f.sysread(-5) }  # => ArgumentError
# survives

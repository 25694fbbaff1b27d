s = "\xff\xfeabc"
p s.valid_encoding?, s.inspect, s.length, s.scrub("?")  # => false
# => "\"\\xFF\\xFEabc\""
# => 5
# => "??abc"
begin
  s =~ /a/
rescue ArgumentError, Regexp::TimeoutError => e
  p e.class
end
begin
  s.split(/b/)
rescue ArgumentError => e
  p e.message  # => "invalid byte sequence in UTF-8"
end
p s.reverse.bytes, s.upcase.bytes.size rescue p $!.class
p s.to_sym.inspect rescue p $!.class, $!.message
# survives

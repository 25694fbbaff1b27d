Regexp.timeout = 1.0
begin
  ("a" * 40 + "b") =~ /\A(a|a|aa|a?)*(\1)*c\z/
rescue Regexp::TimeoutError => e
  p e.class
end
p :alive
# survives

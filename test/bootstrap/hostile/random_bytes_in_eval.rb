seed = 12345
200.times do
  source = Array.new(40) { seed = (seed * 1103515245 + 12345) % 2**31; (seed >> 8) % 256 }.pack("C*")
  begin
    RubyVM::InstructionSequence if false
    eval("if false\n" + source + "\nend")
  rescue SyntaxError, ArgumentError, EncodingError
  end
end
p :alive  # => :alive

words = %w(def end class if \( \) [ ] { } | & * ** . , ; : :: => -> 1 x "a" 'b' /r/ do while rescue ensure begin case when in = == ? ! @a $b A _1 it yield super self nil not and or %w[ <<~E \n #)
seed = 99
500.times do
  source = Array.new(15) { seed = (seed * 1103515245 + 12345) % 2**31; words[(seed >> 8) % words.size] }.join(" ").gsub("\\n", "\n")
  begin
    eval("if false\n" + source + "\nend")
  rescue SyntaxError, NameError, ArgumentError
  end
end
p :alive  # => :alive

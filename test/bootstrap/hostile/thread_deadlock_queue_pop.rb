begin
  Queue.new.pop
rescue Exception => e
  p e.class, e.message.lines[0].chomp  # => fatal
  # => "No live threads left. Deadlock?"
end

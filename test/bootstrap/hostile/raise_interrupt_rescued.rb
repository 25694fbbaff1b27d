begin
  raise Interrupt
rescue Interrupt => e
  p e.message, e.signo  # => "Interrupt"
  # => 2
end
begin
  raise SignalException, "SIGNOPE"
rescue ArgumentError => e
  p e.message  # => "unsupported signal 'SIGNOPE'"
end

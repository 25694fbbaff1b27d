r, w = IO.pipe
r.close
begin
  w.write("x" * 100_000)
rescue Errno::EPIPE => e
  p e.class  # => Errno::EPIPE
end

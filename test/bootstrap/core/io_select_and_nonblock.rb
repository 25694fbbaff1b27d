r, w = IO.pipe
p [IO.select([r], nil, nil, 0), IO.select(nil, [w], nil, 0)&.map(&:size), r.read_nonblock(5, exception: false)]  # => [nil, [0, 1, 0], :wait_readable]
w << "data"
p [IO.select([r], nil, nil, 1)&.map(&:size), r.read_nonblock(3), r.readpartial(10), w.write_nonblock("x"), r.getc]  # => [[1, 0, 0], "dat", "a", 1, "x"]
begin
  r.read_nonblock(1)
rescue IO::WaitReadable => e
  p e.class  # => IO::EAGAINWaitReadable
end

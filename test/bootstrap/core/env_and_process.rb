p [ENV["NOPE"], ENV.fetch("NOPE", 1), (ENV["MINI_X"] = "1"), ENV["MINI_X"], ENV.key?("MINI_X"), ENV.delete("MINI_X"), Process.pid == $$, Process.clock_gettime(Process::CLOCK_MONOTONIC).class, Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond).class]
# => [nil, 1, "1", "1", true, "1", true, Float, Integer]
begin
  ENV["A"] = 1
rescue TypeError => e
  p e.message  # => "no implicit conversion of Integer into String"
end

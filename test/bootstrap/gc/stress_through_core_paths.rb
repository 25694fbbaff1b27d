GC.stress = true
h = {}
10.times { |i| h["k#{i}"] = [i, i.to_s * 3, (i..i + 2).map { |x| x.to_f }] }
s = h.map { |k, (i, t, f)| "#{k}=#{i}#{t}#{f.sum}" }.join(",").gsub(/\d/) { |d| (d.to_i + 1).to_s }
st = Struct.new(:a, :b).new([1], {b: 2})
begin
  raise ArgumentError, "m#{s.size}"
rescue => e
  m = e.message
end
pr = ->(x, *r, k: 1, **o, &b) { [x, r, k, o, b&.call] }
r = pr.call(1, 2, 3, k: 4, z: 5) { "blk" }
f = Fiber.new { |x| Fiber.yield [x]; "done" }
fs = [f.resume("a"), f.resume]
t = Thread.new { "in thread".upcase }.value
GC.stress = false
p s.size, m, st.to_a, r, fs, t, (2**100).to_s, h.size
# => 122
# => "m122"
# => [[1], {b: 2}]
# => [1, [2, 3], 4, {z: 5}, "blk"]
# => [["a"], "done"]
# => "IN THREAD"
# => "1267650600228229401496703205376"
# => 10

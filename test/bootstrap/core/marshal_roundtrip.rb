S = Struct.new(:a)
class K; attr_accessor :x; def ==(o) = x == o.x; end
k = K.new
k.x = [1, "s", :sym, nil, true, 1.5, 2**70, {a: [1]}, 1..3, S.new(4), String, Comparable]
p Marshal.load(Marshal.dump(k)) == k  # => true
p [Marshal.dump([1, -1, 300, "a", :b]), Marshal.load("\x04\b[\ai\x06i\a")]  # => ["\x04\b[\ni\x06i\xFAi\x02,\x01I\"\x06a\x06:\x06ET:\x06b", [1, 2]]

$n = 0
class R; attr_accessor :x; end
$r = R.new
$r.x = 1
def r = ($n += 1; $r)
r.x += 1
r.x ||= 9
p $n, $r.x
# => 2
# => 2
a = [1, 2, 3]
i = 0
a[(i += 1)] += 10
p a, i
# => [1, 12, 3]
# => 1

s = +"k"
h = {s => 1}
s << "x"
p h, h["k"], h.key?(s)
# => {"k" => 1}
# => 1
# => false

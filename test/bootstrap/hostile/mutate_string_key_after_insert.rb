k = +"key"
h = {k => 1}
k << "more"
p h["key"], h.keys[0].frozen?  # => 1
# => true

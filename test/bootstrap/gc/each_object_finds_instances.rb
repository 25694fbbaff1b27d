class Marker; end
a = Array.new(5) { Marker.new }
p ObjectSpace.each_object(Marker).count == 5, a.size
# => true
# => 5

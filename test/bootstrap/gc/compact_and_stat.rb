p GC.stat.key?(:count), (GC.stat[:total_allocated_objects] || 1) > 0, GC.count >= 0
# => true
# => true
# => true

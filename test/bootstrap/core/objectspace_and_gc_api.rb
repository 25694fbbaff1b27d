p [GC.start, GC.count.class, GC.stat.class, GC.stat[:count].class, GC.disable, GC.enable, ObjectSpace.count_objects.class, ObjectSpace.garbage_collect]
# => [nil, Integer, Hash, Integer, false, true, Hash, nil]

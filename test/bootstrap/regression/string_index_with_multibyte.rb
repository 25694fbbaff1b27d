s = "aéb日c"
p [s[1], s[3], s[1..3], s.index("日"), s.byteindex("日"), s.bytes.size, s.reverse, s[-1], s.slice(2, 2), s =~ /日/, s.sub(/é/, "e"), s.tr("é", "x"), s.center(9, "日"), s.each_char.to_a.size, s.insert(2, "ü"), s.rindex("c"), s.scan(/./).size]
# => ["é", "日", "éb日", 3, 4, 8, "c日béa", "c", "b日", 3, "aeb日c", "axb日c", "日日aéb日c日日", 5, "aéüb日c", 5, 6]

p ["a\u0001\x7f".inspect, "\#{x}".inspect, '#{x}'.inspect, "#x".inspect, '#$x'.inspect, "é".dump, "\"\\".inspect, "\xff".inspect, "\u200b".inspect, "a".dump.undump, "\e[0m".inspect]
# => ["\"a\\u0001\\u007F\"", "\"\\\#{x}\"", "\"\\\#{x}\"", "\"#x\"", "\"\\\#$x\"", "\"\\u00E9\"", "\"\\\"\\\\\"", "\"\\xFF\"", "\"​\"", "a", "\"\\e[0m\""]

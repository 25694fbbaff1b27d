p "é".encoding, "\xE9".valid_encoding?, "\u00e9" == "é", __ENCODING__
# => #<Encoding:UTF-8>
# => false
# => true
# => #<Encoding:UTF-8>

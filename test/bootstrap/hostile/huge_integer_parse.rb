p Integer("9" * 20_000).to_s.size  # => 20000
p ("7" * 20_000).to_i.digits.size  # => 20000

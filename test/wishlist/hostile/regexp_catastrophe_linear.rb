p ("a" * 50_000 + "b").match?(/\A(a+)+$/)  # => false

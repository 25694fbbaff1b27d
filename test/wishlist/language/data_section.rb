p DATA.read  # => "first\nsecond\n"
__END__
first
second

def make = proc { return 1 }
begin
  make.call
rescue LocalJumpError => e
  p e.message, e.reason, e.exit_value  # => "unexpected return"
  # => :return
  # => 1
end

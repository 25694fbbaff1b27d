def make = proc { break 1 }
begin
  make.call
rescue LocalJumpError => e
  p e.message, e.reason  # => "break from proc-closure"
  # => :break
end

def count(*args) = args.size
big = Array.new(3_000_000, 1)
begin
  count(*big)
rescue SystemStackError, ArgumentError
end
p :ok  # => :ok

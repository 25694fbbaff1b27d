def deep = raise("x")
def mid = deep
begin
  mid
rescue => e
  puts e.backtrace.map { |l| l.sub(/\A.*\//, "") }
# => exception_backtrace.rb:1:in 'Object#deep'
# => exception_backtrace.rb:2:in 'Object#mid'
# => exception_backtrace.rb:4:in '<main>'
  p e.backtrace_locations[0].lineno, e.backtrace_locations[1].label
# => 1
# => "Object#mid"
end

require "timeout"
begin
  Timeout.timeout(0.05) { sleep }
rescue Timeout::Error => e
  p e.message  # => "execution expired"
end
begin
  Timeout.timeout(0.05) { loop { } }
rescue Timeout::Error => e
  p e.class  # => Timeout::Error
end
p Timeout.timeout(5) { :fast }  # => :fast

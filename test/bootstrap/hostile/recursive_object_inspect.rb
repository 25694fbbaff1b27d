class Loop
  def initialize = @me = self
end
text = Loop.new.inspect
p text.match?(/\A#<Loop:0x\h+ @me=#<Loop:0x\h+ \.\.\.>>\z/)  # => true

ERRORS = [KeyError, IndexError]
def m(e)
  raise e
rescue *ERRORS, TypeError
  :known
rescue matcher = Class.new { def self.===(e) = e.message == "mine" }
  :custom
end rescue p $!
p m(KeyError), m(TypeError)
# => :known
# => :known
begin
  raise "mine"
rescue ->(e) { e.message == "mine" }
  p :lambda
rescue TypeError
end rescue p $!.class  # => TypeError

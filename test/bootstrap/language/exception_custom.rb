class AppError < StandardError
  attr_reader :code
  def initialize(msg = "default", code: 1)
    super(msg)
    @code = code
  end
end
begin
  raise AppError
rescue AppError => e
  p e.message, e.code
# => "default"
# => 1
end
begin
  raise AppError.new("m", code: 3)
rescue => e
  p [e.message, e.code, e.full_message(highlight: false).lines[0].include?("m (AppError)")]  # => ["m", 3, true]
end
begin
  raise AppError, "given"
rescue => e
  p e  # => #<AppError: given>
end

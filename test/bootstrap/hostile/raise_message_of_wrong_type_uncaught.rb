class Broken < StandardError
  def message = 5
  def detailed_message(**) = nil
  def full_message(**) = nil
  def backtrace = 7
end
raise Broken
# exits 1

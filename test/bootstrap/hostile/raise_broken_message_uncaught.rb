class Broken < StandardError
  def message = raise("no message")
end
raise Broken  # exits 1
# stderr: Broken

require "test/unit"
require "tempfile"

class TestFile < Test::Unit::TestCase
  def setup
    @file = Tempfile.new("minirb")
    @path = @file.path
  end

  def teardown
    @file.close!
  end
end

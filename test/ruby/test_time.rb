require "test/unit"

class TestTime < Test::Unit::TestCase
  def test_construction
    t = Time.utc(2024, 2, 29, 12, 30, 45)
    assert_equal [2024, 2, 29, 12, 30, 45, 4, 60], [t.year, t.month, t.day, t.hour, t.min, t.sec, t.wday, t.yday]
    assert_equal [1709209845, true, 0], [t.to_i, t.utc?, t.utc_offset]
    assert_equal t, Time.at(1709209845)
    assert_equal Time.utc(2024, 3, 1), Time.utc(2024, 2, 30)
    assert_raise(ArgumentError) { Time.utc(2024, 13) }
  end

  def test_fractions
    t = Time.at(1, 500_000)
    assert_equal [500_000, 500_000_000, 1.5], [t.usec, t.nsec, t.to_f]
    assert_equal 123_456_789, Time.at(0, 123_456_789, :nsec).nsec
    assert_equal 1.5r, Time.at(1.5r).to_r
    assert_equal Time.utc(2000, 1, 1, 0, 0, 2), Time.utc(2000, 1, 1, 0, 0, 1.6r).round
  end

  def test_arithmetic
    t = Time.utc(2024, 1, 1)
    assert_equal [Time.utc(2024, 1, 2), Time.utc(2023, 12, 31), 86400.0], [t + 86400, t - 86400, Time.utc(2024, 1, 2) - t]
    assert_equal [-1, true, true], [t <=> t + 1, t < t + 1, t == t.dup]
    assert_raise(TypeError) { t + t }
  end

  def test_zones
    t = Time.new(2024, 1, 1, 0, 0, 0, "+09:00")
    assert_equal [32400, 15, 31], [t.utc_offset, t.getutc.hour, t.getutc.day]
    assert_equal "2024-01-01 00:00:00 +0900", t.to_s
    assert_equal t, t.getlocal("-05:00")
    assert_equal 10, t.getlocal("-05:00").hour
    assert_equal 3600, Time.at(0, in: "+01:00").utc_offset
    assert_raise(ArgumentError) { Time.new(2024, 1, 1, 0, 0, 0, "+99") }
  end

  def test_strftime
    t = Time.utc(2024, 2, 9, 3, 4, 5.678r)
    assert_equal "2024-02-09 03:04:05", t.strftime("%Y-%m-%d %H:%M:%S")
    assert_equal "24 Feb Fri 040  9 3 AM 678 05", t.strftime("%y %b %a %j %e %-H %p %L %S")
    assert_equal "February Friday 09/02/24 03:04:05 +0000 %", t.strftime("%B %A %d/%m/%y %T %z %%")
    assert_equal "2024-02-09T03:04:05.678Z", t.strftime("%FT%T.%LZ")
  end

  def test_text
    assert_equal ["2024-01-01 00:00:00 UTC", "2024-01-01 00:00:00 UTC"], [Time.utc(2024).to_s, Time.utc(2024).inspect]
    assert_equal "2024-01-01 00:00:00.5 UTC", Time.utc(2024, 1, 1, 0, 0, 0.5).inspect
  end

  def test_now_and_clocks
    a = Time.now
    assert_operator Time.now, :>=, a
    assert_instance_of Float, Process.clock_gettime(Process::CLOCK_MONOTONIC)
    assert_instance_of Integer, Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)
    assert_operator (Time.now - a).abs, :<, 60
  end

  def test_predicates_and_parts
    t = Time.utc(2024, 1, 1)
    assert_equal [true, false], [t.monday?, t.sunday?]
    assert_equal [0, 0, 0, 1, 1, 2024, 1, 1, false, "UTC"], t.to_a
    assert_equal t.hash, Time.utc(2024, 1, 1).hash
  end
end

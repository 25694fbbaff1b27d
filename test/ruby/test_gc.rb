require "test/unit"

class TestGc < Test::Unit::TestCase
  def test_start_and_counts
    before = GC.count
    GC.start
    assert_operator GC.count, :>, before
    assert_instance_of Hash, GC.stat
    assert_instance_of Integer, GC.stat(:count)
    assert_nil GC.start
  end

  def test_enable_disable
    assert_equal [false, true, true, false], [GC.disable, GC.disable, GC.enable, GC.enable]
  end

  def test_live_graph_survives
    root = {list: (0...500).map { |i| [i.to_s, {i => [i.to_f]}] }, cycle: []}
    root[:cycle] << root
    3.times { GC.start; 5_000.times { |i| [i, i.to_s] } }
    assert_equal true, root[:list].each_with_index.all? { |(s, h), i| s == i.to_s && h[i] == [i.to_f] }
    assert_same root, root[:cycle][0]
  end

  def test_stress
    GC.stress = true
    a = 20.times.map { |i| "#{i}" + i.to_s * 2 }
    h = a.to_h { |s| [s, s.to_sym] }
    GC.stress = false
    assert_equal [20, :"191919"], [h.size, h["191919"]]
  ensure
    GC.stress = false
  end

  def test_values_held_only_by_native_frames
    r = (1..200).map { |i| GC.start if i % 50 == 0; "v#{i}" }.sort_by { |s| s[1..].to_i }.each_slice(7).map(&:join)
    assert_equal "v1v2v3v4v5v6v7", r[0]
  end

  def test_threads_and_fibers_are_roots
    t = Thread.new { x = "in thread" + "!"; sleep; x }
    f = Fiber.new { y = "in fiber" + "!"; Fiber.yield; y }
    f.resume
    Thread.pass until t.stop?
    3.times { GC.start; 1000.times { "garbage" + "x" } }
    t.wakeup
    assert_equal ["in thread!", "in fiber!"], [t.value, f.resume]
  end
end

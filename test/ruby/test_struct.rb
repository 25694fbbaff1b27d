require "test/unit"
Point = Struct.new(:x, :y) do
def dist = Math.sqrt(x * x + y * y)
end
Keyed = Struct.new(:a, :b, keyword_init: true)

class TestStruct < Test::Unit::TestCase
  def test_members
    p = Point.new(3, 4)
    assert_equal [3, 4, 5.0], [p.x, p.y, p.dist]
    p.x = 6
    p[:y] = 8
    assert_equal [6, 8, 6, 8, 6], [p[0], p[1], p["x"], p[-1], p.x]
    assert_equal [%i[x y], %i[x y], 2], [Point.members, p.members, p.size]
    assert_equal [nil, nil], Point.new.to_a
  end

  def test_errors
    assert_raise_with_message(ArgumentError, "struct size differs") { Point.new(1, 2, 3) }
    assert_raise_with_message(NameError, "no member 'z' in struct") { Point.new[:z] }
    assert_raise_with_message(IndexError, "offset 2 too large for struct(size:2)") { Point.new[2] }
    assert_raise_with_message(IndexError, "offset -3 too small for struct(size:2)") { Point.new[-3] }
    assert_raise(FrozenError) { Point.new(1, 2).freeze.x = 1 }
  end

  def test_keywords
    assert_equal [1, 2], Keyed.new(a: 1, b: 2).to_a
    assert_raise_with_message(ArgumentError, "unknown keywords: c") { Keyed.new(c: 1) }
    assert_raise(ArgumentError) { Keyed.new(1, 2) }
    assert_equal 3, Point.new(x: 3, y: 4).x
  end

  def test_equality
    assert_equal Point.new(1, 2), Point.new(1, 2)
    assert_not_equal Point.new(1, 2), Point.new(1, 3)
    assert_equal [true, false], [Point.new(1, 2) == Point.new(1.0, 2), Point.new(1, 2).eql?(Point.new(1.0, 2))]
    assert_equal Point.new(1, 2).hash, Point.new(1, 2).hash
  end

  def test_conversion
    p = Point.new(1, 2)
    assert_equal [[1, 2], {x: 1, y: 2}, [2, 4]], [p.to_a, p.to_h, p.map { |v| v * 2 }]
    assert_equal({"x" => 1, "y" => 2}, p.to_h { |k, v| [k.to_s, v] })
    a, b = *p
    assert_equal [1, 2], [a, b]
    assert_equal [[:x, 1], [:y, 2]], p.each_pair.to_a
    assert_equal [2, [1, 2]], [p.dig(:y), p.values_at(0, 1)]
    assert_equal "#<struct TestStruct::X q=1>", TestStruct.const_set(:X, Struct.new(:q)).new(1).inspect
    assert_equal "#<struct a=1>", Struct.new(:a).new(1).inspect
  end

  def test_inheritance_and_dup
    sub = Class.new(Point) { def sum = x + y }
    s = sub.new(1, 2)
    assert_equal 3, s.sum
    d = s.dup
    d.x = 9
    assert_equal [1, 9], [s.x, d.x]
  end

  def test_pattern_matching
    case Point.new(1, 2)
    in [x, y]
      assert_equal [1, 2], [x, y]
    end
    case Point.new(1, 2)
    in {x:}
      assert_equal 1, x
    end
  end

  def test_data
    coord = Data.define(:lat, :lng) do
      def +(o) = with(lat: lat + o.lat)
    end
    c = coord.new(lat: 1, lng: 2)
    assert_equal c, coord.new(1, 2)
    assert_equal 3, (c + coord.new(2, 0)).lat
    assert_predicate c, :frozen?
    assert_equal({lat: 1, lng: 2}, c.to_h)
    assert_raise_with_message(ArgumentError, "missing keyword: :lng") { coord.new(1) }
    assert_raise_with_message(ArgumentError, "unknown keyword: :z") { coord.new(lat: 1, lng: 2, z: 3) }
    assert_raise(NoMethodError) { c.lat = 2 }
    assert_match(/\A#<data .*lat=1, lng=2>\z/, c.inspect)
  end
end

require "test/unit"

class TestSymbol < Test::Unit::TestCase
  def test_inspect
    assert_equal [":a", ":\"a b\"", ":a?", ":a=", ":[]", ":+", ":\"\"", ":\"9a\"", ":A", ":@a", ":$a", ":\"foo-bar\""], [:a, :"a b", :a?, :a=, :[], :+, :"", :"9a", :A, :@a, :$a, :"foo-bar"].map(&:inspect)
  end

  def test_identity
    assert_same :a, "a".to_sym
    assert_same :"a b", "a b".intern
    assert_equal :a.object_id, :a.object_id
    assert_predicate :a, :frozen?
    assert_raise(NoMethodError) { Symbol.new }
  end

  def test_text_methods
    assert_equal [3, :ABC, :Abc, :b, "b"], [:abc.length, :abc.upcase, :abc.capitalize, :a.succ, :abc[1]]
    assert_equal [true, true], [:abc.start_with?("a"), :abc.end_with?("c")]
    assert_equal 1, :abc =~ /b/
    assert_equal [-1, 0, nil], [:a <=> :b, :a <=> :a, :a <=> "a"]
    assert_equal [:a, :b], %i[b a].sort
    assert_equal "abc", :abc.to_s
    assert_same :abc.name, :abc.name
  end

  def test_to_proc
    assert_equal %w[A B], %w[a b].map(&:upcase)
    assert_equal 6, [1, 2, 3].inject(&:+)
    pr = :upcase.to_proc
    assert_equal [true, -2], [pr.lambda?, pr.arity]
    assert_raise_with_message(ArgumentError, "no receiver given") { pr.call }
  end

  def test_all_symbols
    assert_include Symbol.all_symbols, :to_s
  end
end

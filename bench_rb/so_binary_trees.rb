# Full binary trees up to depth 17 built and thrown away: allocation and recursion.
MIN_DEPTH = 4
MAX_DEPTH = 16

# A tree is [left, item, right]; a leaf has nil on both sides.
def grow(item, depth)
  return [nil, item, nil] unless depth > 0
  double = 2 * item
  depth -= 1
  [grow(double - 1, depth), item, grow(double, depth)]
end

def checksum(tree)
  return tree[1] if tree[0] == nil
  tree[1] + checksum(tree[0]) - checksum(tree[2])
end

# The work is in the trees; the lines are made but shown to nobody.
def note(line)
end

stretch = grow(0, MAX_DEPTH + 1)
note "stretch tree of depth #{MAX_DEPTH + 1}\t check: #{checksum(stretch)}"
stretch = nil

long_lived = grow(0, MAX_DEPTH)

MIN_DEPTH.step(MAX_DEPTH + 1, 2) do |depth|
  iterations = 2**(MAX_DEPTH - depth + MIN_DEPTH)
  check = 0
  for item in 1..iterations
    check += checksum(grow(item, depth))
    check += checksum(grow(-item, depth))
  end
  note "#{iterations * 2}\t trees of depth #{depth}\t check: #{check}"
end

note "long lived tree of depth #{MAX_DEPTH}\t check: #{checksum(long_lived)}"

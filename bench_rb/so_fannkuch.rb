# Pancake flips over all permutations of nine: small arrays sliced, reversed and rotated.
def fannkuch(size)
  most_flips = 0
  last = size - 1
  turn = size
  shown = 0
  counts = (1..size).to_a
  order = (1..size).to_a

  while true
    if shown < 30
      note "#{order}"
      shown += 1
    end

    while turn != 1
      counts[turn - 1] = turn
      turn -= 1
    end

    if order[0] != 1 and order[last] != size
      stack = order.clone
      flips = 0
      while (top = stack.first) != 1
        stack = stack.slice!(0, top).reverse + stack
        flips += 1
      end
      most_flips = flips if flips > most_flips
    end

    while true
      return most_flips if turn == size
      order.insert(turn, order.shift)
      break if (counts[turn] -= 1) > 0
      turn += 1
    end
  end
end

# The lines are made but shown to nobody, as in the original.
def note(line)
end

note "Pfannkuchen(9) = #{fannkuch(9)}"

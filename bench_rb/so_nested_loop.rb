# Six nested Integer#times, 16 turns each: blocks that reach outer variables.
n = 16
sum = 0
n.times do
  n.times do
    n.times do
      n.times do
        n.times do
          n.times { sum += 1 }
        end
      end
    end
  end
end

n = Queue.new
spawn_next = lambda do |depth|
  Thread.new do
    n << depth
    spawn_next.(depth + 1) if depth < 200
  end
end
spawn_next.(0)
201.times { n.pop }
p n.empty?  # => true

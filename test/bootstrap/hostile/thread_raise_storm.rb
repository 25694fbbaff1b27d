t = Thread.new do
  n = 0
  begin
    loop { Thread.pass }
  rescue
    n += 1
    retry if n < 50
  end
  n
end
until t.stop? || !t.alive?
  t.raise("again")
  Thread.pass
end
p t.value  # => 50

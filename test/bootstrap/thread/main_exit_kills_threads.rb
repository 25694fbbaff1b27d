Thread.new do
  sleep
ensure
  puts "ensure ran"
end
Thread.pass until Thread.list.last.stop?
# => ensure ran

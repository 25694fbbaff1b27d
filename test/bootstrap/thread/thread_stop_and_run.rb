t = Thread.new { Thread.stop; :ran }
Thread.pass until t.stop?
p t.run.equal?(t)  # => true
p t.value  # => :ran

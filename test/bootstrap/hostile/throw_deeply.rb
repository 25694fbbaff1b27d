def dive(n) = n == 0 ? throw(:up, :value) : [1].each { dive(n - 1) }
p catch(:up) { dive(1_000) }  # => :value

at_exit { p :last }
at_exit { raise "in handler" }
# => :last
# exits 1
# stderr: in handler (RuntimeError)

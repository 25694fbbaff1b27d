p :before  # => :before
return
p :after

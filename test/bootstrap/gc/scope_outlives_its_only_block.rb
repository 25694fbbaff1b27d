# A block made a Proc of moves the scope to the heap; the method goes on after the Proc is gone.
def m(&blk) = blk
def scope
  a = "kept"
  m { a }
  GC.start
  20_000.times { "x" * 40 }
  GC.start
  a
end
p scope # => "kept"

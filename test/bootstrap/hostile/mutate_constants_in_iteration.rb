module M; A = 1; B = 2; end
M.constants.each { |c| M.send(:remove_const, c); M.const_set(:"#{c}X", 1) }
p M.constants.sort  # => [:AX, :BX]

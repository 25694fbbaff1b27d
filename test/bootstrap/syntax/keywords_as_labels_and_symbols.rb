h = {if: 1, end: 2, class: 3, nil: 4, self: 5, true: 6}
p h, h[:if], %i[def while], :end
# => {if: 1, end: 2, class: 3, nil: 4, self: 5, true: 6}
# => 1
# => [:def, :while]
# => :end
def k(if:, class: 2) = binding.local_variable_get(:if)
p k(if: 3)  # => 3

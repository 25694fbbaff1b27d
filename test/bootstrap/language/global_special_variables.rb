"hello" =~ /l(l)(o)/
p $~[0], $&, $1, $2, $3, $`, $', $+
# => "llo"
# => "llo"
# => "l"
# => "o"
# => nil
# => "he"
# => ""
# => "o"
def other = ("x" =~ /x/; $&)
other
p $&  # => "llo"
p $0 == __FILE__, $PROGRAM_NAME == $0, __method__.inspect
# => true
# => true
# => "nil"
def meth = __method__
p meth  # => :meth
$; = nil
p [1, 2].to_s, $,
# => "[1, 2]"
# => nil

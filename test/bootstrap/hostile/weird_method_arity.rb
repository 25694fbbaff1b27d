def try = yield rescue p($!.message)
def none = 1
def one(a) = a
def opt(a, b = 1) = a
def rest(a, *b) = a
def key(a:, b: 1) = a
try { none(1) }  # => "wrong number of arguments (given 1, expected 0)"
try { one }  # => "wrong number of arguments (given 0, expected 1)"
try { opt(1, 2, 3) }  # => "wrong number of arguments (given 3, expected 1..2)"
try { rest }  # => "wrong number of arguments (given 0, expected 1+)"
try { key }  # => "missing keyword: :a"
try { key(a: 1, c: 2) }  # => "unknown keyword: :c"
try { key(1) }  # => "wrong number of arguments (given 1, expected 0; required keyword: a)"
try { [].push(*nil, **{}).first(1, 2) }  # => "wrong number of arguments (given 2, expected 0..1)"
try { one(a: 1, "b" => 2); none(**{a: 1}) }  # => "wrong number of arguments (given 1, expected 0)"
try { none(**nil); p :ok }  # => :ok

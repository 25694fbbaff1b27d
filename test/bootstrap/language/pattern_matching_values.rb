def m(x)
  case x
  in 0 then :zero
  in Integer | Float => n if n > 100 then [:big, n]
  in Integer then :int
  in String => s then [:str, s]
  in [] then :empty
  in [1, *rest] then [:one, rest]
  in [Integer => a, [b, *]] then [a, b]
  in {name: String => name, age: 18.. => age} then [name, age]
  in {type: :circle, r:} then [:circle, r]
  in {} then :no_keys
  in nil then :nil
  in ^$pinned then :pinned
  else :other
  end
end
$pinned = :pin
p m(0)  # => :zero
p m(500)  # => [:big, 500]
p m(5)  # => :int
p m("a")  # => [:str, "a"]
p m([])  # => :empty
p m([1, 2, 3])  # => [:one, [2, 3]]
p m([7, [8, 9]])  # => [7, 8]
p m({name: "B", age: 20})  # => ["B", 20]
p m({type: :circle, r: 2})  # => [:circle, 2]
p m({})  # => :no_keys
p m(nil)  # => :nil
p m(:pin)  # => :pinned
p m(:q)  # => :other

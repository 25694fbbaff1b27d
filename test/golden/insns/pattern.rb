def m(x)
  case x
  in [Integer => a, *] then a
  in {k:} then k
  end
end

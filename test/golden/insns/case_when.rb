def kind(x)
  case x
  when :a, :b then 1
  when Integer then 2
  else 3
  end
end

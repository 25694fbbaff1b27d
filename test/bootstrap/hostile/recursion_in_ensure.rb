def dive
  yield
ensure
  dive { }
end
begin
  dive { }
rescue SystemStackError => e
  p e.class  # => SystemStackError
end

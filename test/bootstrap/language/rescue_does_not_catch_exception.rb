begin
  begin
    raise Exception, "big"
  rescue
    p :never
  end
rescue Exception => e
  p e.message  # => "big"
end
begin
  raise NotImplementedError
rescue ScriptError => e
  p e.message  # => "NotImplementedError"
end

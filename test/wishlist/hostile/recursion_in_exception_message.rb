class Deep < StandardError
  def message = "#{full_message}"
end
begin
  raise Deep
rescue Deep => e
  begin
    e.message
  rescue SystemStackError => deeper
    p deeper.class  # => SystemStackError
  end
end

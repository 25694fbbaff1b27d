at_exit do
  def dive = dive()
  begin
    dive
  rescue SystemStackError => e
    p e.class  # => SystemStackError
  end
end

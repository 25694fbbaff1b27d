class Gone
  def m
    self.class.send(:remove_method, :m)
    GC.start
    [:ran, @x.inspect]
  end
end
p Gone.new.m  # => [:ran, "nil"]

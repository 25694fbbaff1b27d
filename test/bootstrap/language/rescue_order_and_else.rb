def m(kind)
  log = []
  begin
    raise kind if kind
    log << :body
  rescue ArgumentError, TypeError => e
    log << e.class
  rescue => e
    log << :standard
  else
    log << :else
  ensure
    log << :ensure
  end
  log
end
p m(nil), m(ArgumentError), m(TypeError), m("x")
# => [:body, :else, :ensure]
# => [ArgumentError, :ensure]
# => [TypeError, :ensure]
# => [:standard, :ensure]

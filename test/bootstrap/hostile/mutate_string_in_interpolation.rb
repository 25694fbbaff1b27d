s = +"abc"
o = Object.new
o.define_singleton_method(:to_s) { s.clear; "!" }
p "#{s}#{o}#{s}".is_a?(String)  # => true

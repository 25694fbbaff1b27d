p [:a <=> :b, :a.to_proc.call("x") , :abc.length, :abc[1], :a.size] rescue p $!.class  # => NoMethodError
p [:abc.to_s, :abc.upcase, :abc.succ, :"foo bar".inspect, :a == "a", :a.to_proc.arity, %i[b a].sort, :a.start_with?("a"), :a.frozen?, "a".to_sym.equal?(:a), :a.hash == :a.hash, :"".inspect, :"9".inspect, :[]=.inspect, :!.inspect, :a?.inspect]
# => ["abc", :ABC, :abd, ":\"foo bar\"", false, -2, [:a, :b], true, true, true, true, ":\"\"", ":\"9\"", ":[]=", ":!", ":a?"]

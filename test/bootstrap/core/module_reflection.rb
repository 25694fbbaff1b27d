module M; X = 1; def m = 1; end
class A; include M; @@v = 1; Y = 2; end
p [A.include?(M), A.ancestors.first(2), A.constants.sort, A.const_get(:X), A.class_variables, A.instance_methods(false), M.instance_methods, A.name, A.to_s, M.class, A < M, M > A, A <= A, A <=> M, Integer < String, A.superclass, A.instance_method(:m).owner]
# => [true, [A, M], [:X, :Y], 1, [:@@v], [], [:m], "A", "A", Module, true, true, true, -1, nil, Object, M]
p [A.const_source_location(:Y).class, A.module_eval { self }, Module.new.name, A.allocate.class, Class.new(A).superclass, A.subclasses.size, A.attached_object] rescue p $!.class, $!.message
# => TypeError
# => "'A' is not a singleton class"

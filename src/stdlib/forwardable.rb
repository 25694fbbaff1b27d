# Forwardable: methods that are answered by another object.

module Forwardable
  # def_delegator :@list, :size, :count: `count` is `@list.size`.
  def def_delegator(accessor, method, name = method)
    accessor = accessor.to_s
    definition = ->(receiver) do
      if accessor.start_with?("@@")
        receiver.class.class_variable_get(accessor)
      elsif accessor.start_with?("@")
        receiver.instance_variable_get(accessor)
      else
        receiver.instance_eval(accessor)
      end
    end
    body = proc { |*args, **options, &block| definition.call(self).__send__(method, *args, **options, &block) }
    is_a?(Module) ? define_method(name, &body) : define_singleton_method(name, &body)
    name.to_sym
  end
  alias def_instance_delegator def_delegator

  def def_delegators(accessor, *methods)
    methods.each { |method| def_delegator(accessor, method) unless %i[__send__ __id__].include?(method.to_sym) }
  end
  alias def_instance_delegators def_delegators

  # delegate [:size, :each] => :@list
  def delegate(table)
    table.each { |methods, accessor| Array(methods).each { |method| def_delegator(accessor, method) } }
  end
  alias instance_delegate delegate
end

SingleForwardable = Forwardable

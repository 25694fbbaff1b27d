# WeakRef: stands for an object without keeping it alive.

class WeakRef < BasicObject
  class RefError < ::StandardError
  end

  @@objects = ::ObjectSpace::WeakMap.new

  def initialize(object)
    @@objects[self] = object
  end

  def weakref_alive?
    @@objects.key?(self)
  end

  def __getobj__
    ::Kernel.raise(RefError, "Invalid Reference - probably recycled") unless @@objects.key?(self)
    @@objects[self]
  end

  def method_missing(name, *args, **options, &block)
    __getobj__.__send__(name, *args, **options, &block)
  end

  def respond_to?(name, all = false)
    %i[weakref_alive? __getobj__].include?(name) || __getobj__.respond_to?(name, all)
  end

  def ==(other)
    __getobj__ == other
  end

  def !
    !__getobj__
  end

  def class
    ::WeakRef
  end
end

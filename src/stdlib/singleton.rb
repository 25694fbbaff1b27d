# Singleton: a class with one instance, made when first asked for.

module Singleton
  module ClassMethods
    def instance
      @singleton_lock.synchronize { @singleton_instance ||= new }
    end

    def inherited(klass)
      super
      Singleton.prepare(klass)
    end
  end

  def self.included(klass)
    super
    klass.private_class_method :new, :allocate
    klass.extend(ClassMethods)
    prepare(klass)
  end

  def self.prepare(klass)
    klass.instance_variable_set(:@singleton_lock, Thread::Mutex.new)
    klass.instance_variable_set(:@singleton_instance, nil)
  end

  def clone
    raise TypeError, "can't clone instance of singleton #{self.class}"
  end

  def dup
    raise TypeError, "can't dup instance of singleton #{self.class}"
  end
end

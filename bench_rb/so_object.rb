# Three million small objects of two classes: new, initialize with super, ivars.
class Switch
  def initialize(on)
    @on = on
  end

  def value
    @on
  end

  def activate
    @on = !@on
    self
  end
end

class SlowSwitch < Switch
  def initialize(on, threshold)
    super on
    @threshold = threshold
    @presses = 0
  end

  def activate
    @presses += 1
    if @presses >= @threshold
      @on = !@on
      @presses = 0
    end
    self
  end
end

switch = Switch.new(1)
5.times { switch.activate.value ? "true" : "false" }
1_500_000.times { switch = Switch.new(1) }

slow = SlowSwitch.new(1, 3)
8.times { slow.activate.value ? "true" : "false" }
1_500_000.times { slow = SlowSwitch.new(1, 3) }

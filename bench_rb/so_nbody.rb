# Five heavenly bodies under gravity, 200,000 steps: attributes and floats.
SOLAR_MASS = 4 * Math::PI**2
YEAR = 365.24

class Body
  attr_accessor :x, :y, :z, :vx, :vy, :vz, :mass

  # Positions in au, speeds in au per day, mass in suns.
  def initialize(x, y, z, vx, vy, vz, mass)
    @x, @y, @z = x, y, z
    @vx, @vy, @vz = vx * YEAR, vy * YEAR, vz * YEAR
    @mass = mass * SOLAR_MASS
  end

  # Pull at each later body and be pulled by it, then drift.
  def advance(system, size, dt, other_index)
    while other_index < size
      other = system[other_index]
      dx = @x - other.x
      dy = @y - other.y
      dz = @z - other.z
      distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
      magnitude = dt / (distance * distance * distance)
      pull, push = other.mass * magnitude, @mass * magnitude

      @vx -= dx * pull
      @vy -= dy * pull
      @vz -= dz * pull
      other.vx += dx * push
      other.vy += dy * push
      other.vz += dz * push
      other_index += 1
    end
    @x += dt * @vx
    @y += dt * @vy
    @z += dt * @vz
  end
end

# Kinetic less potential energy of the whole system.
def energy(system)
  sum = 0.0
  for i in 0...system.size
    body = system[i]
    sum += 0.5 * body.mass * (body.vx * body.vx + body.vy * body.vy + body.vz * body.vz)
    for j in (i + 1)...system.size
      other = system[j]
      dx = body.x - other.x
      dy = body.y - other.y
      dz = body.z - other.z
      sum -= (body.mass * other.mass) / Math.sqrt(dx * dx + dy * dy + dz * dz)
    end
  end
  sum
end

# Give the sun the speed that keeps the centre of mass at rest.
def settle(system)
  px, py, pz = 0.0, 0.0, 0.0
  for body in system
    px += body.vx * body.mass
    py += body.vy * body.mass
    pz += body.vz * body.mass
  end
  sun = system[0]
  sun.vx = -px / SOLAR_MASS
  sun.vy = -py / SOLAR_MASS
  sun.vz = -pz / SOLAR_MASS
end

SYSTEM = [
  Body.new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
  Body.new(4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01,
           1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05,
           9.54791938424326609e-04), # Jupiter
  Body.new(8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01,
           -2.76742510726862411e-03, 4.99852801234917238e-03, 2.30417297573763929e-05,
           2.85885980666130812e-04), # Saturn
  Body.new(1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01,
           2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05,
           4.36624404335156298e-05), # Uranus
  Body.new(1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01,
           2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05,
           5.15138902046611451e-05) # Neptune
]

settle(SYSTEM)
puts "%.9f" % energy(SYSTEM)

size = SYSTEM.size
dt = 0.01
200_000.times do
  index = 0
  while index < size
    SYSTEM[index].advance(SYSTEM, size, dt, index + 1)
    index += 1
  end
end
puts "%.9f" % energy(SYSTEM)

p [Math.sqrt(16), Math.cbrt(27), Math.hypot(3, 4), Math.sin(0), Math.log(Math::E), Math.log2(8), Math.log10(1000), Math.log(8, 2), Math.atan2(1, 1).round(5), Math::PI.round(5), Math.gamma(5), Math.erf(0)]
# => [4.0, 3.0, 5.0, 0.0, 1.0, 3.0, 3.0, 3.0, 0.7854, 3.14159, 24.0, 0.0]
begin
  Math.sqrt(-1)
rescue Math::DomainError => e
  p e.message  # => "Numerical argument is out of domain - sqrt"
end

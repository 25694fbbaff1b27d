# The Mandelbrot set as a 600 by 600 bitmap: floats in nested for loops.
size = 600
LAST_ITERATION = 49
ESCAPE = 4.0

puts "P4\n#{size} #{size}"

byte = 0
bits = 0
last = size - 1

for row in 0..last
  for column in 0..last
    re = im = 0.0
    c_re = (2.0 * column / size) - 1.5
    c_im = (2.0 * row / size) - 1.0
    bit = 1

    for iteration in 0..LAST_ITERATION
      next_re = re * re - im * im + c_re
      next_im = 2 * re * im + c_im
      re, im = next_re, next_im
      if (re * re + im * im) > ESCAPE
        bit = 0
        break
      end
    end

    byte = (byte << 1) | bit
    bits += 1
    if bits == 8 || column == last
      byte <<= 8 - bits
      print byte.chr
      byte = 0
      bits = 0
    end
  end
end

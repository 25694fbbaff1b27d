p [sleep(0), sleep(0.01), sleep(0.001r)]  # => [0, 0, 0]

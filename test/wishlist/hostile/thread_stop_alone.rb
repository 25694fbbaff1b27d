Thread.stop  # raises ThreadError: stopping only thread

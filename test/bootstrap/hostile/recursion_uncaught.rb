def dive = dive()
dive  # raises SystemStackError: stack level too deep

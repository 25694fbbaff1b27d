n = 0
again = proc { at_exit(&again) if (n += 1) < 1_000 }
at_exit(&again)
at_exit { at_exit { p n } }
# survives

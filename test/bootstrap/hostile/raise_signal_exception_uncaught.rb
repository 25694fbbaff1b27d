raise SignalException, "SIGTERM"
# signal 15

throw :nowhere
# raises UncaughtThrowError: uncaught throw :nowhere

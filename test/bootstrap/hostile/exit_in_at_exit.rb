at_exit { p 1; exit 6 }
at_exit { p 2; exit 7 }
exit 8
# => 2
# => 1
# exits 6

at_exit { exit 9 }
raise "x"
# exits 9

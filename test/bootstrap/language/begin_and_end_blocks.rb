puts "body"
END { puts "end" }
BEGIN { puts "begin" }
# => begin
# => body
# => end

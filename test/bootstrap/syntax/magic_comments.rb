# frozen_string_literal: true
begin
  "lit" << "x"
rescue => e
  p e.class, "lit".frozen?, "a#{1}".frozen?
# => FrozenError
# => true
# => false
end

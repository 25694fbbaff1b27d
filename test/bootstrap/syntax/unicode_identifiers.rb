été = 5
def 日本 = :jp
class Ünit; end
p été, 日本, Ünit.name, :é, {ключ: 1}
# => 5
# => :jp
# => "Ünit"
# => :é
# => {ключ: 1}

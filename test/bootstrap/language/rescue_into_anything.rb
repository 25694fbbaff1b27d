class H; attr_accessor :e; end
h = H.new
a = []
begin; raise "1"; rescue => h.e; end
begin; raise "2"; rescue => a[0]; end
begin; raise "3"; rescue => @iv; end
begin; raise "4"; rescue => $gv; end
p h.e.message, a[0].message, @iv.message, $gv.message
# => "1"
# => "2"
# => "3"
# => "4"

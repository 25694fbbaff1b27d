t = Time.utc(2024, 2, 29, 12, 30, 45.5)
p [t, t.year, t.month, t.wday, t.yday, t.usec, t + 86400, (t - Time.utc(2024, 1, 1)).class, t <=> t + 1, t.strftime("%Y-%m-%d %H:%M:%S.%L %j %a %b %e %-d %y %I %p %z %% %s"), Time.at(0).utc, Time.at(1.5).utc.nsec, t.to_a.size, t.monday?, t.utc?, t.round, t.hour]
# => [2024-02-29 12:30:45.5 UTC, 2024, 2, 4, 60, 500000, 2024-03-01 12:30:45.5 UTC, Float, -1, "2024-02-29 12:30:45.500 060 Thu Feb 29 29 24 12 PM +0000 % 1709209845", 1970-01-01 00:00:00 UTC, 500000000, 10, false, true, 2024-02-29 12:30:46 UTC, 12]

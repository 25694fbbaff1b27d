# for over a Range: an empty body, 30 million times.
for number in 1..30_000_000
end

# Times the programs beside this file under several rubies and compares what they print.
#
#   minirb bench_rb/driver.rb RUBIES="minirb ruby 'ruby --yjit'" [RUNS=3] [ONLY='^vm_'] [DIR=bench_rb]
#
# Each setting may also come from the environment. RUBIES holds commands separated by spaces, one with
# options in quotes; the first is the reference. Kept is the least wall time of RUNS runs. A program that
# exits non-zero, or prints anything else than under the reference, has failed: it gets no time, no ratio,
# and the driver itself exits 1. Needs only core Ruby, so that minirb can run it.

# The command line's NAME=value words win over the environment.
def setting(name, default)
  ARGV.each do |word|
    return word[(name.size + 1)..-1] if word.start_with?(name + "=")
  end
  value = ENV[name]
  value.nil? || value.empty? ? default : value
end

# "a 'b --c' d" -> ["a", "b --c", "d"]
def split_commands(text)
  commands = []
  word = ""
  quote = nil
  text.each_char do |char|
    if quote
      char == quote ? quote = nil : word += char
    elsif char == "'" || char == '"'
      quote = char
    elsif char == " " || char == "\n"
      commands << word unless word.empty?
      word = ""
    else
      word += char
    end
  end
  commands << word unless word.empty?
  commands
end

# One run: wall seconds, everything printed (standard error too), and whether it exited with 0.
def run_once(command)
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  output = `#{command} 2>&1`
  seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  [seconds, output, $?.success?]
end

# The least time of some runs, or nil with the reason; stops at the first failure.
def measure(command, runs, expected)
  best = nil
  output = nil
  runs.times do
    seconds, output, success = run_once(command)
    return [nil, output, "exits non-zero"] unless success
    return [nil, output, "wrong output"] if expected && output != expected
    best = seconds if best.nil? || seconds < best
  end
  [best, output, nil]
end

def table(title, head, rows)
  widths = head.map { |cell| cell.size }
  rows.each { |row| row.each_with_index { |cell, i| widths[i] = cell.size if cell.size > widths[i] } }
  puts "", title, ""
  [head, *rows].each do |row|
    line = row[0].ljust(widths[0])
    (1...row.size).each { |i| line += "  " + row[i].rjust(widths[i]) }
    puts line
  end
end

rubies = split_commands(setting("RUBIES", ""))
runs = setting("RUNS", "3").to_i
only = Regexp.new(setting("ONLY", "."))
dir = setting("DIR", File.dirname(__FILE__))

if rubies.empty? || runs < 1
  warn "usage: driver.rb RUBIES=\"ruby 'ruby --yjit'\" [RUNS=3] [ONLY=regexp] [DIR=folder]"
  exit 2
end

names = Dir.entries(dir).select { |file| file.end_with?(".rb") && file != "driver.rb" }
names = names.map { |file| file[0...-3] }.select { |name| only.match?(name) }.sort

times = {}
failures = []
names.each do |name|
  expected = nil
  times[name] = rubies.map do |ruby|
    seconds, output, problem = measure("#{ruby} #{dir}/#{name}.rb", runs, expected)
    if problem
      failures << "#{name} under #{ruby}: #{problem}: #{output.to_s[0, 200].inspect}"
    elsif expected.nil?
      expected = output
    end
    $stderr.puts "#{name}  #{ruby}  #{seconds ? format("%.3f", seconds) : problem}"
    seconds
  end
end

table("Execution time (seconds, least of #{runs})", ["name"] + rubies,
      names.map { |name| [name] + times[name].map { |seconds| seconds ? format("%.3f", seconds) : "failed" } })

if rubies.size > 1
  rows = names.map do |name|
    base = times[name][0]
    [name] + times[name][1..-1].map { |seconds| base && seconds ? format("%.2f", base / seconds) : "-" }
  end
  table("Speed-up ratio to #{rubies[0]} (greater is better)", ["name"] + rubies[1..-1], rows)
end

unless failures.empty?
  puts "", "#{failures.size} failed", *failures
  exit 1
end

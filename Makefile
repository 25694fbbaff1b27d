# What to type. `make test-all TEST=queue` and `make benchmark ONLY=mutex` pick by name.

RUNS ?= 3
ONLY ?= .
TEST ?=
RUBY ?= ruby
MINIRB = target/release/minirb
RUBIES ?= $(MINIRB) $(shell command -v $(RUBY))

.PHONY: build test test-all test-ref test-stress check benchmark bless

build:
	cargo build --release

# Everything: Rust unit tests, then the Ruby tests through the minirb just built.
test:
	cargo test --release

# The Ruby tests alone.
test-all:
	cargo test --release --test run -- $(TEST)

# The same Ruby tests on a real ruby, 3.4 or later, so that what we expect cannot drift from Ruby.
test-ref:
	@$(RUBY) -e 'exit RUBY_VERSION.to_f >= 3.4' 2>/dev/null || \
	  { echo "test-ref wants a ruby >= 3.4; name one with RUBY=command"; exit 1; }
	MINIRB_RUBY=$(RUBY) cargo test --release --test run -- $(TEST)

# One pass in which the collector runs at every 97th allocation.
test-stress:
	MINIRB_STRESS=gc:97 cargo test --release --test run -- $(TEST)

check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo test --workspace --release
	$(MAKE) test-stress

# Golden files anew; review the diff.
bless:
	MINIRB_BLESS=1 cargo test --release --test run -- golden

# RUBIES="target/release/minirb 'ruby --yjit'": the first is what the others are compared with.
benchmark: build
	$(MINIRB) bench_rb/driver.rb RUBIES="$(RUBIES)" RUNS="$(RUNS)" ONLY="$(ONLY)"

# Every thing a person or CI does, by name. `make` alone lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
# Seconds for each libFuzzer target in `make fuzz-targets`.
BUDGET ?= 30
# More words for `make mutants`: `MUTANTS="-f 'matcher/src/nats/**'"`, `MUTANTS="--shard 0/8"`.
MUTANTS ?=
# The releases that `make test` asks: the oldest, two between, the newest. 2.9.10 is Debian's package.
TEST_VERSIONS ?= 2.9.10 2.10.25 2.12.8 2.15.1

export WILDCHECK_TEST_VERSIONS := $(TEST_VERSIONS)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | awk -F'\t' '{printf "  make %-14s %s\n", $$1, $$2}'

.PHONY: setup
setup: ## install the system packages that are missing (Debian; asks sudo when not root)
	@.ci/setup

.PHONY: brokers
brokers: setup build ## install the brokers of every dialect and show what is here
	target/debug/wildcheck doctor

.PHONY: build
build: ## build the command line (target/debug/wildcheck, optimised)
	$(CARGO) build

.PHONY: run
run: build ## three ways, live: the tables, all configurations and a million pairs; rows and report in wildcheck-out/
	target/debug/wildcheck run --configurations all

.PHONY: test
test: setup ## every test, four server versions, nothing skipped in silence
	$(CARGO) test --workspace

.PHONY: lint
lint: ## formatting, clippy, the tables' rules
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) clippy -p wildcheck --features targets --bins -- -D warnings

.PHONY: nightly
nightly: setup build ## what takes longer: an hour of search, deep scopes, every libFuzzer target
	target/debug/wildcheck run --oracle process:nats-server@$(lastword $(TEST_VERSIONS)) --configurations all
	for config in cluster leaf-to-hub hub-to-leaf; do \
	  target/debug/wildcheck certify --config $$config --tokens a,b,c --depth 7 || exit; done
	target/debug/wildcheck fuzz --max-time 1h
	target/debug/wildcheck certify --tokens a,b,c --depth 8
	target/debug/wildcheck certify --tokens "a,b,B,''" --depth 5 --invalid
	target/debug/wildcheck certify --dialect rabbitmq --tokens a,b,ab --depth 4 --invalid
	$(MAKE) fuzz-targets BUDGET=300

.PHONY: audit
audit: build ## which claims about nats-server are true: the newest release, by lane
	target/debug/wildcheck audit --oracle process:nats-server@$(lastword $(TEST_VERSIONS))

.PHONY: matrix
matrix: build ## every row and claim against every release that can be had
	target/debug/wildcheck matrix --versions all

.PHONY: regen
regen: build ## rewrite the tables' measured columns from a live server
	target/debug/wildcheck regen

.PHONY: recordings
recordings: build ## record what every release of nats-server does: truth-tables/nats/observed/
	for version in 2.9.10 $$(target/debug/wildcheck versions | cut -f1); do \
	  target/debug/wildcheck regen --oracle process:nats-server@$$version --out target/recordings || exit; done

.PHONY: sample
sample: build ## refresh reports/latest/ and reports/audit.md from real runs
	target/debug/wildcheck run --seed 1 --configurations all --out target/sample
	rm -rf reports/latest && mkdir -p reports/latest
	cp target/sample/report.md target/sample/report.json target/sample/rows.csv target/sample/junit.xml reports/latest/
	target/debug/wildcheck audit --oracle process:nats-server@$(lastword $(TEST_VERSIONS)) --seed 1 --out target/audit >/dev/null
	cp target/audit/report.md reports/audit.md

.PHONY: fuzz-targets
fuzz-targets: ## every libFuzzer target for BUDGET seconds (30); needs cargo install cargo-fuzz --locked
	$(CARGO) run -q --features targets --bin fuzz-targets -- $(BUDGET)

.PHONY: mutants
mutants: ## changes the matcher thousands of ways, each must fail a test; needs cargo install cargo-mutants --locked
	@$(CARGO) mutants --version >/dev/null || { echo 'cargo install cargo-mutants --locked' >&2; exit 2; }
	$(CARGO) mutants -p wildcheck-matcher -j1 --timeout 60 -o target $(MUTANTS)

.PHONY: bench
bench: ## ratios measured in one run, printed and written to reports/bench-*.md
	$(CARGO) bench -p wildcheck-matcher --bench matchers -- --out $(CURDIR)/reports/bench-matchers.md --check
	$(CARGO) bench -p wildcheck-matcher --bench sets -- --out $(CURDIR)/reports/bench-sets.md
	$(CARGO) bench -p wildcheck-oracle --bench adapter -- --out $(CURDIR)/reports/bench-adapter.md --check
	$(CARGO) bench -p wildcheck-oracle --bench brokers -- --out $(CURDIR)/reports/bench-brokers.md --check
	$(CARGO) bench -p wildcheck --bench certify -- --out $(CURDIR)/reports/bench-certify.md --check
	$(CARGO) run -q --features targets --bin fuzz-targets -- 10 matcher_spec empty live_grid live_pair --out reports/bench-fuzz.md --check

# The published matchers, in an environment of their own; made again when the pins change.
WILD := oracle/adapters/wild
target/wild-venv/.pinned: $(WILD)/requirements.txt
	rm -rf target/wild-venv
	python3 -m venv target/wild-venv
	target/wild-venv/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

.PHONY: wild-venv
wild-venv: target/wild-venv/.pinned ## install the published matchers that are audited, from pip alone

.PHONY: wild-crates
wild-crates: ## build the published crates that are audited, as their lock file pins them
	$(CARGO) build --quiet --release --locked --manifest-path $(WILD)/crates/Cargo.toml --target-dir target/wild-crates

.PHONY: wild
wild: build wild-venv wild-crates ## audit published matchers; the matrix in target/wild/ and reports/wild.md
	target/wild-venv/bin/python $(WILD)/matrix.py target/debug/wildcheck target/wild reports/wild.md

.PHONY: clean
clean: ## remove what builds and runs left
	rm -rf target wildcheck-out wildcheck-out.old

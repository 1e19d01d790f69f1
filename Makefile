# SPDX-License-Identifier: MIT
# Weft. `make help` lists the targets. Each room has its own fragment.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory --no-builtin-rules
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

BUILD := build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Recursive calls after set-up run in parallel, and leave no line of progress.
AGAIN = +@again() { $(MAKE) -j$(JOBS) "$$@" || status=$$?; [ ! -t 2 ] || printf '\r\033[K' >&2; exit $${status:-0}; }; again

# V=1 prints each command. Without it, one line on a terminal says what is compiled.
ifeq ($(V),1)
QUIET := --no-print-directory
NOW :=
else
.SILENT:
QUIET := -s
NOW = $(eval STEPS += x)[ ! -t 2 ] || printf '\r\033[K  [%d] %.60s' $(words $(STEPS)) '$<' >&2;
endif

# Of a target: made where it is missing. A process for each file would take a tenth of the build's time.
FOLDER = $(if $(wildcard $(@D)/.),,@mkdir -p $(@D))

# A build of firmware reads no dependencies of host objects: reading them takes longer than finding nothing to do.
FW := $(BUILD)/fw
HOST_D := $(filter-out build-firmware $(FW)/%,$(or $(MAKECMDGOALS),all))

include tools/tools.mk
include port/port.mk
ifneq ($(HOST_D),)
include tests/tests.mk
include tests/fuzz/fuzz.mk
include packaging/packaging.mk
endif

.PHONY: help setup setup-build run test test-long prove instants random-programs random-views host-faults data-races memcheck fuzz fuzz-planted clang-host core-coverage mutants check bench size firmware host clean
help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(filter-out %.d,$(MAKEFILE_LIST)) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | sort | \
	    awk -F'\t' '{ printf "  make %-12s %s\n", $$1, $$2 }'

setup: ## install the packages that everything below needs (each target calls it, or setup-build)
	@tools/setup

setup-build: ## install those that building and recording needs
	@tools/setup --build

host: setup-build ## build the host command, build/host/weft
	$(AGAIN) build-host

run: setup-build ## trace a JPEG decoder on a Cortex-M3 in QEMU and print what happened
	$(AGAIN) run-demo

host-faults: setup ## fail each allocation, write, read, open and fork under each command
	$(AGAIN) build-host
	HOST_FAULTS=all tests/fault/host.sh

test: setup ## run all tests, on host and emulator
	$(AGAIN) run-tests

test-long: setup ## run all tests, and what they leave out to stay short
	$(AGAIN) run-long

check: setup ## run a quick subset of the tests
	$(AGAIN) run-check

prove: ## prove that the byte layer of the core stays within its bounds (Frama-C)
	@tools/setup frama-c-base why3 cvc4
	@tests/prove/prove.sh

# Only these need afl++, clang and llvm.
fuzz: setup ## fuzz each reader with afl++ for SECONDS=60, and print what it reached and found; READERS="wet svd"
	@tools/setup afl++ clang llvm
	$(AGAIN) run-fuzz

core-coverage: setup ## branches of core that its unit and property tests take (docs/COVERAGE.md)
	$(AGAIN) build-host
	@python3 tests/coverage/core.py $(BUILD)

mutants: setup ## change each operator and constant of core: does a test see it? FILE=core/x.c, SAMPLE=50, SEED, JOBS
	$(AGAIN) build-host
	@SAMPLE="$(SAMPLE)" SEED="$(SEED)" LONGEST="$(LONGEST)" SHORT_STEPS="$(SHORT_STEPS)" JOBS="$(or $(MUTANTS_AT_ONCE),1)" nice python3 tests/mutants/mutants.py $(BUILD) $(FILE)

clang-host: setup ## compile the host sources by clang too, for its warnings
	@tools/setup clang
	@$(MAKE) run-clang-host

fuzz-planted: setup ## fuzz a build with a planted bug, which must be found
	@tools/setup afl++ clang llvm
	$(AGAIN) run-fuzz-planted

data-races: setup ## run what works on several cores in a build with the thread sanitizer
	$(AGAIN) build-host $(BUILD)/tsan/weft
	@bash tests/truth/commands.sh races

memcheck: setup ## run all commands under valgrind: do they read memory that was never written?
	$(AGAIN) build-host
	@bash tests/truth/commands.sh memory

.PHONY: test-debian13 plugin-headers
plugin-headers: setup ## compile the plugin against the headers of each GCC 11 to 14 that Debian has here
	@tools/setup $$(for v in 11 12 13 14; do apt-cache show gcc-$$v-plugin-dev >/dev/null 2>&1 && echo g++-$$v gcc-$$v-plugin-dev; done)
	@tests/plugin_headers

test-debian13: ## run all tests on Debian 13 (GCC 14.2, QEMU 10), in a chroot
	@tests/debian13

debug-truth: setup ## the debugger's server against the emulator's, at thousands of instants; WEFT_INSTANTS, WEFT_STOPS
	$(AGAIN) -j1 run-debug-truth

random-programs: setup ## random C programs (csmith), each judged by the emulator; COUNT=100 FIRST=1
	@tools/setup csmith libcsmith-dev
	$(AGAIN) build-host $(BUILD)/host/tests/target/oracle_check
	bash tests/truth/random_programs.sh $(COUNT) $(FIRST)

random-views: setup ## the same programs: coverage, costs, functions, reruns, slices, the debugger; COUNT=100 FIRST=1
	@tools/setup csmith libcsmith-dev
	$(AGAIN) build-host $(foreach check,costs rerun wet,$(BUILD)/host/tests/target/$(check)_check)
	bash tests/truth/random_views.sh $(COUNT) $(FIRST)

instants: setup ## interrupt recordings at more than 200,000 instants, with each delivery and coder
	$(AGAIN) build-host
	WEFT_LONG=1 bash tests/target/instants.sh

bench: setup ## print speed and size figures (no test, no verdict); WEFT_QUICK=1: of short runs
	$(AGAIN) -j1 run-bench

size: setup-build ## flash and RAM of each part of Weft
	$(AGAIN) run-size

firmware: setup-build ## BOARD=... APP=...: build a workload, a file or a folder (C, C++, assembler) with probes
	$(AGAIN) sized-firmware

clean: ## remove everything that was built
	rm -rf --one-file-system $(BUILD)

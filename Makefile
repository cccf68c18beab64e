# `make help` lists the targets. Everything longer than a line is in scripts/.

PREFIX ?= /usr/local
DESTDIR ?=

PROGRAM = .build/release/binaural
# The program that is installed and packed has Swift's libraries inside it.
STATIC_PROGRAM = .build-static/binaural
# Builds and tests leave nothing behind in /tmp.
TIDILY = scripts/with-temporary-folder
# An import between modules that Package.swift does not list does not compile.
WALLS = --explicit-target-dependency-import-check error

# A build that no other follows, as in .ci/run, compiles module by module instead of file by file, each module once, and without line
# numbers for debuggers, in two thirds of the time.
ONCE = $(if $(BINAURAL_BUILD_ONCE),-debug-info-format none -Xswiftc -no-emit-module-separately-wmo)
MODULES = $(if $(BINAURAL_BUILD_ONCE),-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 1) $(ONCE)

BUILD_TESTS = $(TIDILY) swift build $(WALLS) $(MODULES) --build-tests
RUN_TESTS = scripts/run-tests
# A folder of Tests and, if you like, a regular expression for the names of tests, for `make shake`.
TESTS ?= Unit
export TESTS

# The links in Benchmarks/Sources only lead to the same files again.
BENCHMARKS = Benchmarks/Package.swift Benchmarks/Benchmarks

.PHONY: help play build test gate program servers release stress shake bench static install uninstall deb tarball deb-check format lint clean
.DEFAULT_GOAL := help

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

play: ## install what is missing, build, and play the session "welcome"
	@scripts/install-packages build play
	$(TIDILY) swift build -c release $(WALLS) --product binaural
	@$(PROGRAM) play welcome --start-server

build: ## install what is missing and build the program, .build/release/binaural
	@scripts/install-packages build
	$(TIDILY) swift build -c release $(WALLS) --product binaural

test: ## install what is missing, check the sources, build, and run the tests of the modules and of the instance: about 8 minutes
	@scripts/install-packages build test
	@$(MAKE) --no-print-directory lint
	$(BUILD_TESTS)
	@$(RUN_TESTS) Unit Instance

gate: ## run what `.ci/run` runs after `make test`: JACK, the program, the contract, the page, the release program; 13 minutes more
	@scripts/install-packages build test gate
	@scripts/make-python-environment
	BINAURAL_TESTS=all $(BUILD_TESTS)
	@# The stages mostly wait, so two run at a time, and what the last one needs is built beside them.
	@status=0; $(MAKE) --no-print-directory --keep-going --jobs=3 program servers release || status=1; $(RUN_TESTS) Release || status=1; exit $$status

# On the program that was built with the tests.
program:
	@$(RUN_TESTS) Program
servers:
	@$(RUN_TESTS) JACK Contract Browser

# The program that users get, for the tests that judge its machine code.
release:
	@$(TIDILY) nice swift build -c release $(WALLS) $(ONCE) --product binaural

stress: ## run the long versions of the proofs, and what needs real time or other people's programs; print figures; 3.5 hours
	@scripts/install-packages build test gate stress
	@scripts/make-python-environment
	$(TIDILY) swift build -c release $(WALLS) --product binaural
	BINAURAL_TESTS=all $(BUILD_TESTS)
	@scripts/fuzz build
	@BINAURAL_STRESS=1 BINAURAL_BINARY=$(CURDIR)/$(PROGRAM) $(RUN_TESTS) Unit Instance JACK Contract Release Stress

shake: ## repeat TESTS='FOLDER [PATTERN]' 20 times beside busy loops, in both orders, and list what failed once
	@scripts/install-packages build test gate
	@scripts/make-python-environment
	BINAURAL_TESTS=all $(BUILD_TESTS)
	@folder=$${TESTS%% *}; pattern=$${TESTS#"$$folder"}; $(RUN_TESTS) "$$folder" "$${pattern# }" --shake

bench: ## measure the engine, its rivals and the latencies of the remote control, and write docs/benchmarks.md
	@scripts/install-packages build play test gate bench
	@scripts/make-python-environment
	$(TIDILY) swift build -c release $(WALLS) --product binaural
	BINAURAL_TESTS=all $(BUILD_TESTS)
	$(TIDILY) swift build -c release --package-path Benchmarks
	@$(TIDILY) scripts/bench

static: ## install what is missing and build the program with Swift's libraries inside it, for machines without Swift
	@scripts/install-packages build install
	@scripts/build-static

install: static ## copy program, patches, sessions, docs, man pages, completions, desktop entry and systemd unit below PREFIX (/usr/local)
	@scripts/install-program "$(STATIC_PROGRAM)" "$(PREFIX)" "$(DESTDIR)"

uninstall: ## remove what `make install` has put below PREFIX
	@scripts/install-program --remove "$(PREFIX)" "$(DESTDIR)"

deb: ## build the Debian package, binaural_VERSION_ARCHITECTURE.deb
	@scripts/install-packages build install deb
	@scripts/make-deb

tarball: static ## pack the tree of `make install` for other distributions, binaural-VERSION-linux-ARCHITECTURE.tar.xz
	@scripts/make-tarball

deb-check: ## check the package: lintian, piuparts, its tests in a Debian 12 without Swift, and a second build with the same bytes; 20 minutes
	@scripts/install-packages build install deb deb-check
	@scripts/check-package

format: ## format the sources with swift-format
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples $(BENCHMARKS)

lint: ## report sources that differ from .swift-format, circles between folders, types that are too large, phrases with a better wording, and tests that wait by a limit of their own
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples $(BENCHMARKS)
	@scripts/check-folders
	@scripts/check-types
	@scripts/check-words
	@scripts/check-tests

clean: ## remove everything that was built
	rm -rf .build .build-static .build-deb Benchmarks/.build Tests/Stress/Fuzzing/.build

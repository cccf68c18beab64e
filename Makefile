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

# Tests that mostly compute occupy the threads shared by all tests of a process, and some occupy both processors with their own programs: tests
# that wait for programs run after them, and real-time tests run alone, since a busy neighbour would drop their cycles.
REAL_TIME_TESTS = AcceptanceTests|InProcessTests|RealTimeScenarioTests|SignalFadeTests|RestartTests|FloodTests
BUSY_TESTS = FuzzTests|ThreadSanitizerTests|UnoptimizedTests|OtherPackageTests
PROGRAM_TESTS = ProgramTests|ConformanceTests
# Each of these tests starts several programs. With all tests side by side, some programs got no processor for two minutes; a few tests at a
# time also end sooner.
A_FEW_AT_ONCE = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6
# Browsers, recordings and captures: one after the other, with nothing else beside them.
SCENARIO_TESTS = \.ScenarioTests
# Long tests, which `make test` skips; and those of the release program.
LONG_TESTS = ProofTests|SynthesisTests.*WallTests|RandomScriptTests|SpinTests|AnyFrequencyTests|PropertyTests|ChapterFileTests|ShippedGoldenTests|FuzzedEntryTests|FuzzedFrameTests
RUN_TESTS = $(TIDILY) swift test $(WALLS) --skip-build --disable-xctest

# The links in Benchmarks/Sources only lead to the same files again.
BENCHMARKS = Benchmarks/Package.swift Benchmarks/Benchmarks

.PHONY: help play build test test-all stress bench static install uninstall deb tarball deb-check format lint clean
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

test: ## install what is missing, check the sources, build, and run the tests of the modules: under 10 minutes
	@scripts/install-packages build play test
	@scripts/make-python-environment
	@$(MAKE) --no-print-directory lint
	$(TIDILY) swift build $(WALLS) --build-tests
	$(RUN_TESTS) --skip '$(LONG_TESTS)|$(PROGRAM_TESTS)|$(REAL_TIME_TESTS)|JACKBackendTests'
	$(RUN_TESTS) --filter JACKBackendTests --skip '$(REAL_TIME_TESTS)'

test-all: test ## run every test: also those of the program, the proofs, and what sounds in real time; 30 to 40 minutes more
	@# The program that tests start is the one that is played; the tests themselves may look inside the modules.
	$(TIDILY) swift build -c release $(WALLS) --product binaural
	@scripts/fuzz build
	$(RUN_TESTS) --filter '$(LONG_TESTS)' --skip '$(BUSY_TESTS)|$(PROGRAM_TESTS)|$(REAL_TIME_TESTS)'
	$(RUN_TESTS) --filter '$(BUSY_TESTS)'
	$(A_FEW_AT_ONCE) $(RUN_TESTS) --filter '$(PROGRAM_TESTS)' --skip '$(SCENARIO_TESTS)|$(REAL_TIME_TESTS)'
	$(RUN_TESTS) --filter '$(SCENARIO_TESTS)'
	$(RUN_TESTS) --no-parallel --filter '$(REAL_TIME_TESTS)'

stress: ## run the long versions of the proofs (loss, floods, restarts, fuzzing, random commands, a day of sound), and print their latencies; 3.5 hours
	@scripts/install-packages build play test
	@scripts/make-python-environment
	$(TIDILY) swift build -c release $(WALLS) --product binaural
	$(TIDILY) swift build $(WALLS) --build-tests
	@scripts/fuzz build
	BINAURAL_STRESS=1 $(RUN_TESTS) --no-parallel --filter 'ProofTests|FloodTests|LatencyTests|ControlSurfaceTests|RandomScriptTests|PrecisionTests|RunningCostTests|LongSoundFileTests|AudioFileWriterTests|ChapterFileTests|ShippedSoundFileTests|FuzzedEntryTests|FuzzedFrameTests|RealTimeScenarioTests.*peaks'

bench: ## measure the engine, its rivals and the latencies of the remote control, and write docs/benchmarks.md
	@scripts/install-packages build play test bench
	@scripts/make-python-environment
	$(TIDILY) swift build -c release $(WALLS) --product binaural
	$(TIDILY) swift build $(WALLS) --build-tests
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

lint: ## report sources that differ from .swift-format, circles between folders, types that are too long, and phrases with a better wording
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples $(BENCHMARKS)
	@scripts/check-folders
	@scripts/check-types
	@scripts/check-words

clean: ## remove everything that was built
	rm -rf .build .build-static .build-deb Benchmarks/.build Tests/Proofs/Fuzzing/.build

# Two commands: make run, make test. Each installs or builds what is missing.
GO ?= go
TOOL = $(GO) tool -modfile=tools/go.mod
CODE = analysis architecture_test.go cmd examples harness internal jvm-fixtures refusal results scenarios tools
# The tools below tools/ import moobench although they have another go.mod, so that they are named file by file.
PEER = $(wildcard tools/peer/*.go)
KEYS = $(wildcard tools/keys/*.go)
TOMORROW = $(wildcard tools/tomorrow/*.go)
SHAPE = $(wildcard tools/shape/*.go)
MUTANTS = $(wildcard tools/mutants/*.go)
# The race detector needs cgo and a C compiler; the rest does not.
RACE = $(shell command -v gcc >/dev/null 2>&1 && echo -race)
# It makes arithmetic ten times slower, and finds nothing where one thing follows another:
# it is for packages whose code or tests start goroutines, or guard something from them.
# A sync.OnceValue alone is just a value that is made late. The tests of the command start
# moobench as a process, hundreds of times: what runs at the same time in it is tested with
# the detector package by package, and these in soak.
# The one goroutine of tools/peer waits for a process, and that of tools/tomorrow for the end of its input.
GOROUTINES = ^[[:space:]]*(defer )?go (func|[A-Za-z_])|\.Go\(|AfterFunc\(|\.Parallel\(\)|sync\.[A-NP-Z]|"sync/atomic"|errgroup
RACY = $(filter-out ./cmd/moobench/,$(sort $(addprefix ./,$(dir $(shell grep -lrE --include='*.go' '$(GOROUTINES)' $(filter-out tools examples jvm-fixtures,$(CODE)))))))

DETECTOR = $(if $(RACE),with the race detector,without the race detector: gcc is not installed)
# The tests of real JVMs wait for these most of the time, and so have a part of their own.
REAL := ^($(shell awk '/^func /{f = substr($$2, 1, index($$2, "\050") - 1)} /^\tneedReal/{printf "%s%s", or, f; or = "|"}' cmd/moobench/*_test.go))$$

# A service or a container may have no HOME: it is where go, Maven and moobench keep their caches.
ifeq ($(HOME),)
export HOME := $(shell getent passwd "$$(id -u)" | cut -d: -f6)
endif

# Where tools/bootstrap.sh has put what the tests read moobench's files with.
PYTHON := $(wildcard $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/moobench/python/bin/python3)
ifneq ($(PYTHON),)
export MOOBENCH_TEST_PYTHON ?= $(PYTHON)
endif

# Tests make and remove thousands of small files: in memory, where there is enough of it and
# programs may be started there. What go builds for them is there too, 3 GB at most.
MEMORY := $(shell d=$$(mktemp -d /dev/shm/moobench-XXXXXX 2>/dev/null) && cp /bin/true $$d && $$d/true && \
	[ "$$(df -k --output=avail /dev/shm | tail -n 1)" -gt 6000000 ] && echo /dev/shm; rm -rf "$$d")
ifneq ($(MEMORY),)
vet check real-test race-test script-test go-test: export TMPDIR := $(MEMORY)
endif

.PHONY: run test build install check fixtures-test real-test race-test script-test go-test soak nightly bench peer tomorrow clean

run: build ## measure, and say where the report lies
	@tools/bootstrap.sh run
	@bin/moobench run benchmarks.toml || { status=$$?; [ $$status -eq 4 ]; }
	@echo "next: bin/moobench cost AGENT.jar · bin/moobench report --all · bin/moobench doctor · make install" >&2

build: bin/moobench

PREFIX ?= /usr/local
install: build ## puts moobench where a shell finds it, and its page where man does
	@bin/moobench help man >bin/moobench.1
	@install -D -m 644 bin/moobench.1 "$(DESTDIR)$(PREFIX)/share/man/man1/moobench.1"
	@install -D -m 755 bin/moobench "$(DESTDIR)$(PREFIX)/bin/moobench" && echo "installed $(DESTDIR)$(PREFIX)/bin/moobench"

.PHONY: release
release: ## static binaries, .deb, Dockerfile and checksums of the commit, in bin/release; publishes nothing
	@GO="$(GO)" tools/release.sh

bin/moobench: FORCE
	@CGO_ENABLED=0 $(GO) build -trimpath -o $@ ./cmd/moobench

.PHONY: FORCE
FORCE:

# Three parts at a time: they wait for JVMs and browsers now and then, and more of them slow
# each other down. What takes longest begins: a long part that ends alone leaves CPUs idle.
# go vet comes before them, alone: parts that start together would all compile the same packages.
test: bootstrap-test vet ## all tests, and the checks of the code
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target real-test go-test script-test fixtures-test race-test check
	@echo "all parts passed"

.PHONY: bootstrap-test
bootstrap-test:
	@GO="$(GO)" tools/bootstrap.sh test

.PHONY: vet
vet:
	@echo "part: go vet"
	@$(GO) vet ./...

check: vet
	@echo "part: gofumpt, staticcheck, go vet of the tools"
	@test -z "$$($(TOOL) gofumpt -l $(CODE))" || \
		{ $(TOOL) gofumpt -l $(CODE); echo "not gofumpt-clean: run gofumpt -w on these"; exit 1; }
	@for tool in tools/*/main.go; do $(GO) vet $$(dirname $$tool)/*.go || exit 1; done
	@$(LATER) $(TOOL) staticcheck ./...

fixtures-test:
	@echo "part: the fixtures' own tests (Maven, JUnit)"
	@cd jvm-fixtures && MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC $$MAVEN_OPTS" $(LATER) mvn -q -B -Dstyle.color=never verify

# go vet looks at everything once, in check: not again package by package. Nobody looks into
# the binaries of tests with a debugger: without symbols they are linked in half the time.
TEST = $(GO) test -vet=off -timeout 40m -ldflags=-s
# Where the race detector is not, packages are compiled as a release has them, once for both.
vet check real-test script-test go-test: export CGO_ENABLED = 0
vet check real-test script-test go-test: export GOFLAGS := -trimpath $(GOFLAGS)

# Real JVMs are waited for longest, one after the other: all else makes way for them.
LATER = nice

# Properties are tried on the same drawn cases each time; RAPID_SEED=0 draws others.
real-test race-test script-test go-test: export RAPID_SEED ?= 20140901
# The heap of a test is small, and there is memory: it is collected less often. So are
# those of the compiler and of staticcheck.
vet check real-test race-test script-test go-test: export GOGC ?= 400
# Packages of which the race detector gets a part (internal/testrace): all of them is tested without it.
SLOW = ./results ./analysis/history ./harness/receiver
# The code has no unsafe pointers, whose checks would take a tenth of the time, and no C.
race-test:
	@echo "part: go test of what starts goroutines, $(DETECTOR)"
	@$(LATER) $(TEST) $(RACE) -gcflags='all=-dwarf=false -d=checkptr=0' -ldflags='-s -linkmode=internal' $(RACY)

real-test:
	@echo "part: go test of real JVMs"
	@$(TEST) -run '$(REAL)' ./cmd/moobench

script-test:
	@echo "part: scripts, as users type them"
	@$(LATER) $(TEST) -run '^TestScripts$$' ./cmd/moobench

go-test:
	@echo "part: go test of the rest"
	@$(LATER) $(TEST) -skip '$(REAL)|^TestScripts$$' $(filter-out $(patsubst ./%/,moobench/%,$(RACY)),$(shell $(GO) list ./...))
	@$(LATER) $(TEST) $(SLOW)
	@$(LATER) $(TEST) $(KEYS)
	@$(LATER) $(TEST) $(PEER)
	@$(LATER) $(TEST) $(TOMORROW)
	@$(LATER) $(TEST) $(SHAPE)
	@$(LATER) $(TEST) $(MUTANTS)

.PHONY: shape
shape: ## how the product's Go is cut: tokens, wide lines, functions, comments (COMMENTS=-comments lists those to rewrite)
	@$(GO) run $(filter-out %_test.go,$(SHAPE)) $(COMMENTS)

.PHONY: mutants
mutants: ## 60 drawn changes to the code, each of which the tests of its own package should notice, ten minutes: those they let pass (DRAWN="-seed 7 -n 120")
	@$(if $(MEMORY),TMPDIR=$(MEMORY)) $(GO) run $(filter-out %_test.go,$(MUTANTS)) $(DRAWN)

soak: ## what takes long: 10,000 random campaigns on every route, long simulations, 1,000 kills, 200 full disks, the conformance suite of all agents on every JDK, the image of a release, an array on a Slurm cluster of one node, a Job on a Kubernetes control plane, workflows by their schemas, a merge of 100,000 invocations, a log of 100 million events, five minutes for each fuzz target, known vulnerabilities (3 h)
	@$(GO) test -timeout 3h -run TestRoutesAgree ./analysis/infer -campaigns 10000
	@$(GO) test -timeout 3h ./analysis/simulation ./analysis/steady ./analysis/divergent -long
	@$(GO) test -timeout 3h -run TestAnUpdateRaisesNoAlarm ./analysis/history -updates 1000
	@$(GO) test $(RACE) -timeout 3h ./cmd/moobench
	@$(GO) test -timeout 3h -v -run 'TestKilledAnytime$$|TestDiskFullAnytime$$|TestImage$$|TestManyLocks$$|TestSlurm$$|TestKubernetes$$|TestFleetNights$$|TestMatrixSteps$$|TestRelease$$' ./cmd/moobench -kills 1000 -fills 200 -image -millions 100 -slurm -kubernetes -fleet-nights
	@$(GO) test -timeout 6h -v -run '$(REAL)' ./cmd/moobench -conform
	@TMPDIR=$(MEMORY) $(GO) test -timeout 1h -v -run 'TestMergeMany$$' ./results/fleet -many 100000
	@TMPDIR=$(MEMORY) $(GO) test -timeout 1h -v -run 'TestMergeMany$$' ./results/fleet -many 100 -sample-bytes 20000000
	@$(GO) test -timeout 3h -run 'TestKneeHoldsTheTruth$$' ./cmd/moobench -knees 2000
	@tools/fuzz.sh 5m
	@tools/engines.sh
	@tools/scan.sh

nightly: build ## a paper repeated in small, a quarter of an hour; nothing else should run
	@bin/moobench replicate flaig-2014 --scale 0.02

bench: build ## speed, as ratios measured in one run; nothing else should run
	@tools/bench.sh

peer: $(if $(DIR),build) ## beside MooBench (DIR: a checkout of it) and JMH, 25 minutes; OUT gets the table; nothing else should run
	@$(GO) run $(filter-out %_test.go,$(PEER)) $(if $(OUT),-out $(OUT)) $(SIZE) $(DIR)

tomorrow: build ## does an answer hold tomorrow? The same campaign twenty times, an hour; SIZE=-busy: beside other work; OUT gets the tables; nothing else should run
	@$(GO) run $(filter-out %_test.go,$(TOMORROW)) $(if $(OUT),-out $(OUT)) $(SIZE)

.PHONY: liars
liars: ## some seventy agents that lie, each measured beside a baseline: what they do is contained, named, or in SECURITY.md; five minutes, prints a table
	@$(GO) test -count=1 -timeout 1h -v -run 'TestLiars$$' ./cmd/moobench -liars

.PHONY: busy
busy: build ## a known cost beside programs that take 0, 30 and 60 % of the CPU, half an hour; nothing else should run
	@$(GO) run tools/busy/main.go $(SIZE)

clean:
	rm -rf bin jvm-fixtures/target jvm-fixtures/*/target

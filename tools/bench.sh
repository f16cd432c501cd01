#!/bin/sh
# Speed, as ratios of what was measured in one run. Nothing else should run.
set -eu
cd "$(dirname "$0")/.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM

echo "the timed loop against the cheapest possible one (two stamps and a store), one JVM:"
mkdir "$tmp/fixtures"
cp -r jvm-fixtures/. "$tmp/fixtures"
(cd "$tmp/fixtures" && mvn -q -B -Dstyle.color=never package -DskipTests)
for round in 1 2 3; do
	java -cp "$tmp/fixtures/kernel/target/kernel.jar:$tmp/fixtures/calls/target/calls.jar" moobench.calls.Floor
done

echo
echo "an event of threads, and one of locks, beside a look at the clock: at most 1.5 times, none lost"
for round in 1 2 3; do
	java -Dmoobench.dir="$tmp" -cp "$tmp/fixtures/kernel/target/kernel.jar:$tmp/fixtures/probes/target/probes.jar:$tmp/fixtures/probes/target/test-classes" moobench.probes.events.Price
done

echo
echo "60 invocations of 1,000,000 samples, made up: wall time, CPU time, memory (load $(cut -d' ' -f1-3 /proc/loadavg))"
# The samples are written three times: 0.1 GB for moobench, 1.3 GB for R.
if [ "$(df -Pk "$tmp" | awk 'NR == 2 { print $4 }')" -lt 3000000 ]; then
	echo "skipped: needs 3 GB of free space in $tmp (TMPDIR names another folder)"
else
	go build -o "$tmp/manycalls" tools/manycalls/main.go
	go build -o "$tmp/measure" tools/measure/main.go
	"$tmp/manycalls" "$tmp/few" 18 1000000
	rm -r "$tmp/few/text" "$tmp/few/binary"
	"$tmp/manycalls" "$tmp/many" 60 1000000
	sync
	{
		"$tmp/measure" "moobench, from samples, 18 invocations" bin/moobench report --from-samples "$tmp/few/campaign"
		"$tmp/measure" "moobench, from samples" bin/moobench report --from-samples "$tmp/many/campaign"
		"$tmp/measure" "moobench, from stored summaries" bin/moobench report "$tmp/many/campaign"
		if command -v Rscript >/dev/null 2>&1; then
			for how in plain tuned binary; do
				"$tmp/measure" "R, $how" Rscript tools/manycalls/summarise.R "$tmp/many" "$how"
			done
		else
			echo "skipped: R (Rscript is not installed)"
		fi
	} | tee "$tmp/took"
	# R against moobench from samples; fields counted from the end of the line.
	awk '/^moobench, from samples  / { wall = $(NF-6); cpu = $(NF-4); memory = $(NF-1) }
		/^R, / { printf "%s over moobench from samples: %.0f times the wall time, %.0f times the CPU time, %.0f times the memory\n",
			$1 " " $2, $(NF-6) / wall, $(NF-4) / cpu, $(NF-1) / memory }' "$tmp/took"
fi

echo
echo "moobench itself while a JVM is timed: wake-ups (at most 2 a second are allowed), CPU, bytes written"
go test -run '^$' -bench Waiting -benchtime 3x ./harness/machine/watch | grep '^Benchmark'

echo
echo "sending requests from one CPU to a server on another: at least 20,000 a second in a closed loop, none lost or late; lag p99 below 1,000 us at 4,000 a second in an open one"
go test -run '^$' -bench . -benchtime 1x ./harness/load >"$tmp/load" 2>&1 ||
	{ cat "$tmp/load"; exit 1; }
grep '^Benchmark' "$tmp/load"

echo
echo "Go: sealing and reading samples, counting records, statistics"
go test -run '^$' -bench . -benchmem ./results/... ./harness/receiver/... $(go list ./analysis/... | grep -v /simulation) >"$tmp/go" 2>&1 ||
	{ cat "$tmp/go"; exit 1; }
grep -E '^(Benchmark|pkg:)' "$tmp/go"

if [ -d analysis/simulation ]; then
	echo
	echo "coverage of the intervals, in simulated campaigns"
	go test -run '^$' -bench Coverage -timeout 2h ./analysis/simulation
fi

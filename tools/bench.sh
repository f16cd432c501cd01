#!/bin/sh
# Speed, as ratios of what was measured in one run. Nothing else should run.
set -eu
cd "$(dirname "$0")/.."

echo "the timed loop against the cheapest possible one (two stamps and a store), one JVM:"
fixtures=$(mktemp -d)
trap 'rm -rf "$fixtures"' EXIT
cp -r jvm-fixtures/. "$fixtures"
(cd "$fixtures" && mvn -q -B -Dstyle.color=never package -DskipTests)
for round in 1 2 3; do
	java -cp "$fixtures/kernel/target/kernel.jar:$fixtures/calls/target/calls.jar" moobench.calls.Floor
done

echo
echo "Go: sealing and reading samples, counting records"
go test -run '^$' -bench . -benchmem ./results/... ./harness/receiver/... |
	grep -E '^(Benchmark|pkg:)'

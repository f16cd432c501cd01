#!/usr/bin/env bash
# Runs every fuzz target for so long (default 10s), and prints how many cases each
# has tried, and how many of them led somewhere new. It ends at the first that fails, or that
# tried next to none.
#
#   tools/fuzz.sh [TIME] [PATTERN]
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s} pattern=${2:-.}
fewest=200 # cases of a target, of the slowest one on a busy machine
grep -rnoE --include='*_test.go' '^func Fuzz[A-Za-z0-9]*' . | grep -v '^./tools/' | grep -E "$pattern" | sort |
	while IFS=: read -r file _ target; do
		target=${target#func } package=$(dirname "$file")
		# A case that leads somewhere new is made smaller at first, for up to a minute each unless told
		# otherwise: in shorter runs nothing else was done.
		log=$(go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x "$package" 2>&1) || { echo "$log"; exit 1; }
		last=$(grep -E 'execs: [0-9]+' <<<"$log" | tail -1)
		tried=$(sed -E 's/.*execs: ([0-9]+).*/\1/' <<<"$last")
		printf '%-32s %-24s %12s cases in %s, %s new\n' "$package" "$target" "$tried" "$time" "$(sed -nE 's/.*new interesting: ([0-9]+).*/\1/p' <<<"$last")"
		if ((tried < fewest)); then
			echo "$package: $target tried $tried cases in $time: it is not a test" >&2
			exit 1
		fi
	done

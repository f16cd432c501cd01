#!/usr/bin/env bash
# Runs every fuzz target for so long (default 10s), and prints how many cases each
# has tried. It ends at the first that fails.
#
#   tools/fuzz.sh [TIME] [PATTERN]
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s} pattern=${2:-.}
grep -rnoE --include='*_test.go' '^func Fuzz[A-Za-z0-9]*' . | grep -v '^./tools/' | grep -E "$pattern" | sort |
	while IFS=: read -r file _ target; do
		target=${target#func } package=$(dirname "$file")
		log=$(go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" 2>&1) || { echo "$log"; exit 1; }
		tried=$(grep -oE 'execs: [0-9]+' <<<"$log" | tail -1)
		printf '%-32s %-24s %12s cases in %s\n' "$package" "$target" "${tried#execs: }" "$time"
	done

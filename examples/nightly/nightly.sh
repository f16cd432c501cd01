#!/bin/sh
# One night: measure, add it to the history, judge it, publish it, and keep what
# later nights need. Cron, systemd, GitHub Actions and GitLab CI all call this;
# NIGHTLY.md says how.
#
# Exit status: 0 fine · 3 a change for the worse is confirmed · 4 a planned cell
# has no answer, or nothing could be measured as asked · anything else an error.
set -eu

here=$(cd -- "$(dirname -- "$0")" && pwd)
absolute() {
	case $1 in
	/*) printf '%s\n' "$1" ;;
	*) printf '%s\n' "$PWD/$1" ;;
	esac
}

# What may be set from outside.
moobench=${MOOBENCH:-moobench}                            # the command: in PATH, or its whole path
file=$(absolute "${BENCHMARKS:-$here/benchmarks.toml}")   # what is measured
nights=$(absolute "${NIGHTS:-$here}")                     # where results/ lies: campaigns, kept files, history.jsonl, standards.json
public=$(absolute "${PUBLIC:-$nights/results/public}")    # where tonight's pages go
keep=${KEEP:-30}                                          # so many nights keep their raw data
build=${BUILD:-}                                          # builds what is measured, in this folder
wait=${WAIT:-2h}                                          # so long for another campaign on this machine
branch=${DATA_BRANCH:-}                                   # keeps history.jsonl and standards.json in this branch as well
remote=${DATA_REMOTE:-origin}                             # of this repository

say() { printf 'nightly: %s\n' "$*" >&2; }

repository() { GIT_INDEX_FILE=$nights/results/nightly.index git -C "$here" "$@"; }

# pull takes in the lines of the data branch that the history does not have, any order of
# lines will do, and the speed of the CPU that costs are told at, where there is none here.
pull() {
	tip=
	repository fetch -q "$remote" "refs/heads/$branch" 2>/dev/null || return 0 # the first night has none
	tip=$(repository rev-parse FETCH_HEAD)
	repository show "$tip:history.jsonl" >results/history.fetched 2>/dev/null || :
	touch results/history.jsonl
	awk 'NF && !seen[$0]++' results/history.jsonl results/history.fetched >results/history.merged
	mv results/history.merged results/history.jsonl
	rm -f results/history.fetched
	[ -e results/standards.json ] || ! repository show "$tip:standards.json" >results/standards.fetched 2>/dev/null ||
		mv results/standards.fetched results/standards.json
	rm -f results/standards.fetched
}

# record commits the history on top of the data branch, without touching what is
# checked out, and prints the commit; nothing when the branch has it already.
record() {
	repository read-tree --empty
	[ -z "$tip" ] || repository read-tree "$tip"
	lines=$(repository hash-object -w --no-filters "$nights/results/history.jsonl")
	merging=$(printf 'history.jsonl merge=union\n' | repository hash-object -w --no-filters --stdin)
	repository update-index --add --cacheinfo "100644,$lines,history.jsonl" --cacheinfo "100644,$merging,.gitattributes" || return 1
	if [ -e results/standards.json ]; then
		speeds=$(repository hash-object -w --no-filters "$nights/results/standards.json")
		repository update-index --add --cacheinfo "100644,$speeds,standards.json" || return 1
	fi
	tree=$(repository write-tree) || return 1
	rm -f results/nightly.index
	if [ -n "$tip" ] && [ "$(repository rev-parse "$tip^{tree}")" = "$tree" ]; then
		return 0
	fi
	repository -c user.name=moobench -c user.email=moobench@localhost \
		commit-tree -m "night of $(date -u +%Y-%m-%d)" ${tip:+-p "$tip"} "$tree"
}

# push is tried again when another machine was faster.
push() {
	for _ in 1 2 3; do
		pull
		made=$(record) || break
		[ -n "$made" ] || return 0
		if repository push -q "$remote" "$made:refs/heads/$branch"; then
			return 0
		fi
	done
	say "warning: $branch was not pushed: the history is in $nights/results/history.jsonl, and goes along with the next night"
}

# incomplete says whether a planned cell has no answer: exit statuses 3 and 4 may be
# the gate's word on one night.
incomplete() { "$moobench" report "$night" --format json 9>&- 2>/dev/null | grep -q '^  "incomplete": '; }

# broken says whether the agent broke the application: it answered wrongly, or did less.
broken() { "$moobench" report "$night" --format json 9>&- 2>/dev/null | grep -q '"broken": '; }

# page writes what is published; a check that fails has its page too.
page() {
	status=0
	"$moobench" "$@" 9>&- || status=$?
	case $status in
	0 | 3 | 4) ;;
	*) say "warning: not published: moobench $*" ;;
	esac
}

mkdir -p "$nights/results/runs" "$public"
cd -- "$nights"
exec 9>results/nightly.lock
if command -v flock >/dev/null 2>&1 && ! flock -n 9; then
	say "error: another night is still running"
	exit 1
fi

if [ -n "$build" ]; then
	(cd -- "$here" && sh -c "$build" 9>&-)
fi
commit=${GITHUB_SHA:-${CI_COMMIT_SHA:-$(git -C "$here" rev-parse -q --verify HEAD 2>/dev/null || :)}}
[ -z "$branch" ] || pull

night=results/runs/$(date -u +%Y-%m-%dT%H%M%SZ)-nightly
ran=0
"$moobench" run --quiet -o "$night" --wait "$wait" --standard results/standards.json "$file" 9>&- || ran=$?
case $ran in
0 | 3 | 4) ;;
*) exit "$ran" ;;
esac
if [ ! -e "$night/SEALED" ]; then
	say "nothing was measured"
	[ "$ran" -ne 0 ] || ran=1
	exit "$ran"
fi
if [ "$ran" -ne 0 ]; then # what the gate says of one night is said; the history decides
	ran=0
	! incomplete || ran=4
fi

cp "$night/report.html" "$public/night.html" || say "warning: tonight's report is not published"
if ! "$moobench" history add ${commit:+--commit "$commit"} "$night"; then
	! broken || exit 5
	[ "$ran" -ne 4 ] || exit 4 # no cell has an answer: the report says why
	exit 1
fi
checked=0
"$moobench" history check --confirm --quiet --wait "$wait" --standard results/standards.json 9>&- || checked=$?
[ -z "$branch" ] || push

page history check --format markdown -o "$public/summary.md"
page history show --format html -o "$public/index.html"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -e "$public/summary.md" ]; then
	cat "$public/summary.md" >>"$GITHUB_STEP_SUMMARY"
fi
"$moobench" prune --keep "$keep" 9>&- || say "warning: old nights were not pruned: the disk will fill up"

case $checked in
0 | 4) ;;
*) exit "$checked" ;;
esac
! broken || exit 5
if [ "$ran" -eq 4 ] || [ "$checked" -eq 4 ]; then
	exit 4
fi

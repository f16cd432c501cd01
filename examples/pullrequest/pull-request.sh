#!/bin/sh
# Builds what is checked out and the branch that it goes into, measures both in the same
# blocks (pull-request.toml), and leaves results/pull-request/comment.md: 15 lines for
# the pull request, and one more where it changes how it is measured. It runs here as well as in CI.
#
# Exit status: 0 not worse · 3 shown to be worse than [gate] accepts · 4 undecided, or a
# planned cell has no answer · 5 the agent breaks the application · anything else an error.
set -eu
cd -- "$(dirname -- "$0")"

# What may be set from outside.
moobench=${MOOBENCH:-moobench}                      # the command: in PATH, or its whole path
build=${BUILD:-mvn -q -B -DskipTests package}       # <- makes the jar, in a clean checkout
jar=${JAR:-target/my-agent.jar}                     # <- which one that is
base=${BASE:-origin/main}                           # what the pull request goes into
speeds=${STANDARDS:-standards.json}                 # the speed of the CPU that costs are told at: commit it, once it is there

work=results/pull-request
mkdir -p "$work"
work=$(cd -- "$work" && pwd)
rm -f "$work/comment.md" "$work/main.jar" "$work/mine.jar"

rm -rf "$work/main"
git worktree prune
git worktree add -q --force --detach "$work/main" "$base"
(cd -- "$work/main" && sh -c "$build" && cp -- "$jar" "$work/main.jar")
git worktree remove --force "$work/main"

sh -c "$build"
cp -- "$jar" "$work/mine.jar"

campaign=$work/$(date -u +%Y-%m-%dT%H%M%SZ)
status=0
"$moobench" run --quiet --wait "${WAIT:-2h}" -o "$campaign" --standard "$speeds" pull-request.toml >/dev/null || status=$?
case $status in
0 | 3 | 4) ;;
*) exit "$status" ;;
esac
[ -e "$campaign/SEALED" ] || exit "$status" # nothing could be measured as asked
"$moobench" report "$campaign" --format comment -o "$work/comment.md" 2>/dev/null || :
# What judges a pull request may be part of it.
if since=$(git merge-base "$base" HEAD) && [ -e "$work/comment.md" ]; then
	changed=$(git diff --name-only "$since" -- pull-request.toml pull-request.sh "$speeds" .github/workflows/moobench-pull-request.yml | tr '\n' ' ')
	if [ -n "$changed" ]; then
		printf '\n**This pull request changes how it is measured or judged: %s**\n' "${changed% }" >>"$work/comment.md"
	fi
fi
cp -- "$campaign/report.html" "$work/report.html"
cat -- "$work/comment.md"
if [ "$status" -eq 4 ] && "$moobench" report "$campaign" --format json 2>/dev/null | grep -q '"broken": '; then
	exit 5
fi
exit "$status"

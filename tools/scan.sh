#!/usr/bin/env bash
# Looks for known vulnerabilities of what moobench is made of: the Go modules of the
# product and of its tools, and the Maven artifacts of the fixtures, as Maven
# resolves them. Where the scanner or its database can't be had, it says that it
# skipped them.
#
#   tools/scan.sh
set -euo pipefail
cd "$(dirname "$0")/.."
scanner=github.com/google/osv-scanner/v2/cmd/osv-scanner@v2.2.4
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
skip() {
	echo "skipped: known vulnerabilities of the dependencies: $1"
	exit 0
}

GOBIN=$tmp CGO_ENABLED=0 go install "$scanner" 2>"$tmp/log" ||
	skip "the scanner can't be built here: $(tail -n 1 "$tmp/log")"

cp -r jvm-fixtures "$tmp/fixtures"
(cd "$tmp/fixtures" && mvn -q -B -Dstyle.color=never package -DskipTests \
	org.apache.maven.plugins:maven-dependency-plugin:3.8.1:list \
	-DexcludeGroupIds=moobench -DoutputFile="$tmp/maven" -DappendOutput=true)
# group:artifact:type[:classifier]:version:scope, as the scanner reads a list that is
# complete: a lock file of Gradle's.
sed -nE 's/^ +([^: ]+):([^: ]+):[^: ]+:([^: ]+:)?([^: ]+):(compile|runtime|test|provided)( .*)?$/\1:\2:\4=fixtures/p' "$tmp/maven" |
	sort -u >"$tmp/gradle.lockfile"
echo "known vulnerabilities of $(go list -m all | wc -l) Go modules, $(go list -m -modfile=tools/go.mod all | wc -l) of the tools, $(wc -l <"$tmp/gradle.lockfile") Maven artifacts:"

status=0
"$tmp/osv-scanner" scan source --lockfile=go.mod --lockfile="go.mod:$PWD/tools/go.mod" \
	--lockfile="gradle.lockfile:$tmp/gradle.lockfile" >"$tmp/found" 2>"$tmp/log" || status=$?
case $status in
0) echo "none" ;;
1) cat "$tmp/found"; exit 1 ;; # found
*) skip "their database can't be had here: $(tail -n 1 "$tmp/log")" ;;
esac

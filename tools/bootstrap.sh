#!/bin/sh
# Installs what moobench needs and the machine lacks, from the distribution.
#
#   tools/bootstrap.sh run    a JDK (17 or newer) and Maven
#   tools/bootstrap.sh test   also gcc (for the race detector), Chromium, R,
#                             xmllint and mandoc; axe-core by npm; pandas, pyarrow, DuckDB and
#                             prometheus_client by pip, beside moobench's caches;
#                             benchstat as a module of Go.
#                             These are optional: what can't be installed is said
#                             once, and its tests are skipped
#
# Without root it installs nothing, and says exactly what to install.
set -u

say() { printf 'moobench: %s\n' "$*" >&2; }

missing=
need() { # need COMMAND PACKAGE...
	command -v "$1" >/dev/null 2>&1 && return
	shift
	missing="$missing $*"
}

install() {
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		return 1
	fi
	say "installing$missing"
	export DEBIAN_FRONTEND=noninteractive
	# shellcheck disable=SC2086
	apt-get install -y -q --no-install-recommends $missing >/dev/null 2>&1 ||
		{ apt-get update -q >/dev/null 2>&1 && apt-get install -y -q --no-install-recommends $missing >/dev/null; }
}

# A JRE has no compiler, which the fixtures are built with.
need javac openjdk-17-jdk-headless
need mvn maven
if ! install; then
	say "error: this machine lacks:$missing"
	say "hint: as root, run: apt-get install$missing"
	exit 1
fi
[ "${1-run}" = test ] || exit 0

for optional in gcc:gcc:libc6-dev chromium:chromium Rscript:r-base-core xmllint:libxml2-utils mandoc:mandoc; do
	command=${optional%%:*}
	missing=
	need "$command" "$(printf %s "${optional#*:}" | tr : ' ')"
	install || say "skipping what needs $command: it is not installed, and can't be (not root, or there is no $missing)"
done

cache=${XDG_CACHE_HOME:-$HOME/.cache}/moobench

# These read what moobench writes. The Makefile tells the tests of this Python.
python=$cache/python/bin/python3
modules="pandas pyarrow duckdb prometheus_client"
has() { "$python" -c "import $1" >/dev/null 2>&1; }
lacking=
for module in $modules; do
	has "$module" || lacking="$lacking $module"
done
if [ -n "$lacking" ]; then
	if [ ! -x "$python" ]; then
		say "installing$lacking"
		mkdir -p "$cache" && { python3 -m venv "$cache/python" >/dev/null 2>&1 || rm -rf "$cache/python"; }
	fi
	for module in $lacking; do # one by one: that one is missing everywhere costs no other
		{ [ -x "$python" ] && "$python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "$module" >/dev/null 2>&1; } ||
			say "skipping what needs $module: pip could not install it"
	done
fi

# benchstat reads one of our formats; the tests themselves ask no network for it.
(cd "$(dirname "$0")" && ${GO:-go} mod download golang.org/x/perf github.com/aclements/go-moremath) >/dev/null 2>&1 ||
	say "skipping what needs benchstat: golang.org/x/perf could not be downloaded"

# axe-core looks over the page; like Chromium, only tests need it.
axe=$cache/axe
if [ ! -e "$axe/node_modules/axe-core/axe.min.js" ]; then
	if command -v npm >/dev/null 2>&1; then
		say "installing axe-core"
		npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix "$axe" axe-core@4.10.2 >/dev/null 2>&1 ||
			say "skipping what needs axe-core: npm could not install it"
	else
		say "skipping what needs axe-core: npm is not installed"
	fi
fi
exit 0

#!/usr/bin/env bash
# Checks what moobench init writes for GitHub and GitLab by their published schemas (check-jsonschema brings them), and
# workflows by actionlint. Where these can't be had, it says that it skipped them.
#
#   tools/engines.sh
set -euo pipefail
cd "$(dirname "$0")/.."
linter=github.com/rhysd/actionlint/cmd/actionlint@v1.7.7
schemas=check-jsonschema==0.39.0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
skip() { echo "skipped: $1 can't be had here: $(tail -n 1 "$tmp/log")"; }

github=$(grep -lE '^on:' $(find examples -name '*.yml'))
gitlab=$(grep -lE '^stages:|^  script:' $(find examples -name '*.yml'))
if GOBIN=$tmp CGO_ENABLED=0 go install "$linter" 2>"$tmp/log"; then
	# The label of the user's own runner is not known to it.
	"$tmp/actionlint" -shellcheck= -pyflakes= -ignore 'label "moobench" is unknown' $github
	echo "actionlint: $(wc -w <<<"$github") workflows"
else
	skip actionlint
fi
if python3 -m venv "$tmp/python" 2>"$tmp/log" && "$tmp/python/bin/pip" -q install "$schemas" 2>"$tmp/log"; then
	"$tmp/python/bin/check-jsonschema" --builtin-schema vendor.github-workflows $github
	"$tmp/python/bin/check-jsonschema" --builtin-schema vendor.gitlab-ci $gitlab
else
	skip check-jsonschema
fi

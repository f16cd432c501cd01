#!/bin/sh
# Makes a release of the commit that is checked out, and publishes nothing: static binaries, a
# .deb for each of them, a Dockerfile, and their checksums. The same commit gives the same
# bytes, whatever else lies in the working tree.
#
#   tools/release.sh [FOLDER]     bin/release by default
#
# ARCHS are the processors, "amd64 arm64" by default.
set -eu
cd -- "$(dirname -- "$0")/.."
umask 022
export LC_ALL=C TZ=UTC

say() { printf 'release: %s\n' "$*" >&2; }
for tool in git dpkg-deb sha256sum; do
	if ! command -v "$tool" >/dev/null 2>&1; then
		say "error: $tool is not installed"
		exit 1
	fi
done

out=${1:-bin/release}
mkdir -p "$out"
out=$(cd -- "$out" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
[ -z "$(git status --porcelain)" ] || say "what is not committed is not in it"

# A clone holds nothing but the commit: its binaries name that, and nothing else.
git clone -q --shared --no-checkout . "$tmp/source"
git -C "$tmp/source" checkout -q --detach "$(git rev-parse HEAD)"
cd -- "$tmp/source"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# Before its tag, a version is older than the version.
version=$(sed -n 's/^const version = "\(.*\)"$/\1/p' cmd/moobench/version.go)
if [ "$(git tag --points-at HEAD --list "v$version")" = "" ]; then
	version="$version~$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d).$(git rev-parse --short=12 HEAD)"
fi

static() { CGO_ENABLED=0 GOOS=linux GOARCH=$1 "${GO:-go}" build -trimpath -buildvcs=true -o "$2" ./cmd/moobench; }
here=$("${GO:-go}" env GOHOSTARCH)
static "$here" "$tmp/moobench-$here" # writes the completions and the manual, too

# package makes the .deb of a binary for a processor.
package() {
	root=$tmp/deb-$2
	install -D -m 755 "$1" "$root/usr/bin/moobench"
	install -D -m 644 LICENSE "$root/usr/share/doc/moobench/copyright"
	install -D -m 644 CHANGELOG.md "$root/usr/share/doc/moobench/CHANGELOG.md"
	mkdir -p "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d" \
		"$root/usr/share/man/man1" "$root/DEBIAN"
	"$tmp/moobench-$here" help man >"$root/usr/share/man/man1/moobench.1"
	gzip -9n "$root/usr/share/man/man1/moobench.1"
	"$tmp/moobench-$here" completion bash >"$root/usr/share/bash-completion/completions/moobench"
	"$tmp/moobench-$here" completion zsh >"$root/usr/share/zsh/vendor-completions/_moobench"
	"$tmp/moobench-$here" completion fish >"$root/usr/share/fish/vendor_completions.d/moobench.fish"
	cat >"$root/DEBIAN/control" <<-CONTROL
		Package: moobench
		Version: $version
		Architecture: $2
		Maintainer: moobench <moobench@localhost>
		Installed-Size: $(du -k --apparent-size -s "$root" | cut -f1)
		Recommends: default-jdk-headless | java-sdk, maven
		Section: devel
		Priority: optional
		Description: tells what monitoring costs a JVM application
		 It starts instrumented and uninstrumented JVMs in randomised blocks, proves
		 that each agent really recorded, and answers with overheads and their
		 intervals.
	CONTROL
	find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	dpkg-deb --root-owner-group -Zgzip --build "$root" "$out/moobench-linux-$2.deb" >/dev/null
}

rm -f "$out"/moobench-linux-* "$out/Dockerfile" "$out/SHA256SUMS"
for arch in ${ARCHS:-amd64 arm64}; do
	[ "$arch" = "$here" ] || static "$arch" "$tmp/moobench-$arch"
	install -m 755 "$tmp/moobench-$arch" "$out/moobench-linux-$arch"
	package "$out/moobench-linux-$arch" "$arch"
done
install -m 644 tools/Dockerfile "$out/Dockerfile"
(cd -- "$out" && sha256sum -- Dockerfile moobench-linux-* >SHA256SUMS)
say "moobench $version in $out:"
cat -- "$out/SHA256SUMS"

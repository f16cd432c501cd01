package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// needTools skips where a program is not installed.
func needTools(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs ", tool)
		}
	}
}

// release makes a release of the commit, for one processor, and returns its folder and what
// release.sh prints of it.
func release(t *testing.T) (dir, sums string) {
	t.Helper()
	needTools(t, "git", "dpkg-deb", "sha256sum")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("git", "-C", root, "rev-parse", "-q", "--verify", "HEAD").Run(); err != nil {
		t.Skip("needs a checkout of git:", err)
	}
	dir = t.TempDir()
	cmd := exec.Command(filepath.Join(root, "tools", "release.sh"), dir)
	cmd.Env = append(os.Environ(), "ARCHS=amd64")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir, string(out)
}

// TestRelease makes a release: its binary needs no library, and the package holds it. With -image it is made twice: the
// bytes are the same.
func TestRelease(t *testing.T) {
	dir, sums := release(t)
	if strings.Count(sums, "\n") != 3 {
		t.Errorf("the commit gives\n%s", sums)
	}
	if *image {
		if _, again := release(t); again != sums {
			t.Errorf("the same commit gives\n%s and\n%s", sums, again)
		}
	}
	check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = dir
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	deb, installed := filepath.Join(dir, "moobench-linux-amd64.deb"), t.TempDir()
	for _, field := range []string{"Architecture: amd64", "Version: " + version} {
		if out, err := exec.Command("dpkg-deb", "-f", deb).Output(); err != nil || !strings.Contains(string(out), "\n"+field) {
			t.Errorf("%s, %v:\n%s", field, err, out)
		}
	}
	if out, err := exec.Command("dpkg-deb", "-x", deb, installed).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, path := range []string{"usr/share/doc/moobench/copyright", "usr/share/bash-completion/completions/moobench", "usr/share/man/man1/moobench.1.gz"} {
		if _, err := os.Stat(filepath.Join(installed, path)); err != nil {
			t.Error(err)
		}
	}
	binary := filepath.Join(installed, "usr/bin/moobench")
	if libraries, err := exec.Command("ldd", binary).CombinedOutput(); err == nil && !strings.Contains(string(libraries), "not a dynamic") {
		t.Errorf("it needs libraries:\n%s", libraries)
	}
	if out, err := exec.Command(binary, "--version").Output(); err == nil && (!strings.Contains(string(out), "moobench "+version+"+") || strings.Contains(string(out), "dirty")) {
		t.Errorf("it says that it is %s", out)
	}
}

// TestInstall installs a moobench that is built already, and starts it where it was put.
func TestInstall(t *testing.T) {
	needTools(t, "make")
	makefile, err := filepath.Abs("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t)
	if err := os.Rename(filepath.Join(p.dir, "jdk", "bin"), filepath.Join(p.dir, "bin")); err != nil {
		t.Fatal(err)
	}
	install := exec.Command("make", "--silent", "-f", makefile, "-o", "build", "install", "DESTDIR="+filepath.Join(p.dir, "stage"), "PREFIX=/usr")
	install.Dir = p.dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(filepath.Join(p.dir, "stage/usr/bin/moobench"), "--version").CombinedOutput(); err != nil || !strings.Contains(string(out), version) {
		t.Errorf("it says %v:\n%s", err, out)
	}
	if page := textOf(t, filepath.Join(p.dir, "stage/usr/share/man/man1/moobench.1")); !strings.HasPrefix(page, ".TH MOOBENCH 1 ") {
		t.Errorf("the page begins %.80q", page)
	}
}

// TestDockerfile reads the Dockerfile as lines: it copies what a release makes, and starts it.
func TestDockerfile(t *testing.T) {
	text := textOf(t, "../../tools/Dockerfile")
	text = regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, "\\\n", "")
	var did []string
	for line := range strings.Lines(text) {
		instruction, _, _ := strings.Cut(line, " ")
		did = append(did, instruction)
	}
	if got := strings.Join(did, " "); got != "ARG FROM RUN ARG COPY WORKDIR ENV USER ENTRYPOINT" {
		t.Errorf("it does %s", got)
	}
	for _, want := range []string{"COPY moobench-linux-${TARGETARCH} /usr/local/bin/moobench\n", "FROM ${BASE}\n", "USER moobench\n", "--no-install-recommends", "rm -rf /var/lib/apt/lists", "ENTRYPOINT [\"moobench\"]\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
}

var image = flag.Bool("image", false, "build the image of a release, which takes minutes and the network")

// TestImage builds the image of a release as tools/Dockerfile says, and asks moobench in it what
// it finds there. The base is made of the packages of the distribution that the Dockerfile
// names, so that no registry is asked for one.
func TestImage(t *testing.T) {
	if !*image {
		t.Skip("takes minutes and the network: -image")
	}
	needTools(t, "buildah", "mmdebstrap")
	if os.Getuid() != 0 {
		t.Skip("needs root")
	}
	dir, _ := release(t)
	suite := regexp.MustCompile(`ARG BASE=debian:(\w+)`).FindStringSubmatch(textOf(t, filepath.Join(dir, "Dockerfile")))
	if suite == nil {
		t.Fatal("its base is not of a suite that can be made")
	}
	build := exec.Command("sh", "-eu", "-c", `
		b="buildah --storage-driver vfs --root $PWD/storage --runroot $PWD/state"
		trap '$b rm --all >/dev/null' EXIT
		mmdebstrap --quiet --variant=apt "$1" base.tar >&2
		base=$($b from scratch)
		$b add --quiet "$base" base.tar / >&2
		$b commit --quiet "$base" base >&2
		$b build --quiet --isolation chroot --from localhost/base --tag moobench . >&2
		made=$($b from moobench)
		echo "starts $($b inspect --format '{{.OCIv1.Config.Entrypoint}} in {{.OCIv1.Config.WorkingDir}}' "$made")"
		$b run --isolation chroot "$made" -- moobench --version
		$b run --isolation chroot "$made" -- moobench doctor`, "sh", suite[1])
	var out, errOut strings.Builder
	build.Dir, build.Stdout, build.Stderr = dir, &out, &errOut
	if err := build.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, errOut.String(), out.String())
	}
	for _, want := range []string{"starts [moobench] in /work\n", "moobench " + version + "+", "ok  JDK  ", "ok  Maven  "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
}

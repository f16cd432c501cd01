package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRelease makes a release of the commit, for one processor, twice: the bytes are the same,
// the binary needs no library, and the package holds it.
func TestRelease(t *testing.T) {
	for _, tool := range []string{"git", "dpkg-deb", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs", tool)
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("git", "-C", root, "rev-parse", "-q", "--verify", "HEAD").Run(); err != nil {
		t.Skip("needs a checkout of git:", err)
	}
	var sums []string
	dir := ""
	for range 2 {
		dir = t.TempDir()
		cmd := exec.Command(filepath.Join(root, "tools", "release.sh"), dir)
		cmd.Env = append(os.Environ(), "ARCHS=amd64")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		sums = append(sums, string(out))
	}
	if sums[0] != sums[1] || strings.Count(sums[0], "\n") != 3 {
		t.Errorf("the same commit gives\n%s and\n%s", sums[0], sums[1])
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
	if got := strings.Join(did, " "); got != "FROM RUN ARG COPY WORKDIR ENTRYPOINT" {
		t.Errorf("it does %s", got)
	}
	for _, want := range []string{"COPY moobench-linux-${TARGETARCH} /usr/local/bin/moobench\n", "--no-install-recommends", "rm -rf /var/lib/apt/lists", "ENTRYPOINT [\"moobench\"]\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestInitCommentsAreRight takes the # away from what moobench init leaves
// commented out: it must be a benchmarks.toml that can be planned.
func TestInitCommentsAreRight(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchmarks.toml")
	var out, errOut bytes.Buffer
	if status := Main(context.Background(), []string{"init", "-o", path}, &out, &errOut); status != exitFine {
		t.Fatal(errOut.String())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	toml := regexp.MustCompile(`(?m)^blocks .*$`).ReplaceAllString(string(text), "")
	toml = regexp.MustCompile(`(?m)^#(\S)`).ReplaceAllString(toml, "$1")
	if err := os.WriteFile(path, []byte(toml), 0o666); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	status := Main(context.Background(), []string{"run", "-n", path}, &out, &errOut)
	for _, want := range []string{
		"10 blocks pilot, then as many as ±", "at most 2 h", "q1  Is the agent equivalent within 1 %?", "kieker/bci/tcp − none, tost test",
	} {
		if status != exitFine || !strings.Contains(out.String(), want) {
			t.Errorf("exit status %d, want %q in:\n%s%s", status, want, out.String(), errOut.String())
		}
	}
}

// TestNightlyPlans plans the campaign that init nightly writes, and all that is
// commented out in it.
func TestNightlyPlans(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "agent")
	if said, status := here(t, "init", "nightly", "-o", dir); status != exitFine {
		t.Fatal(said)
	}
	path := filepath.Join(dir, "benchmarks.toml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	toml := string(text)
	for name, text := range map[string]string{
		"as it is":         toml,
		"without comments": regexp.MustCompile(`(?m)^#(host|turbo)\b`).ReplaceAllString(toml, "$1"),
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errOut bytes.Buffer
		status := Main(context.Background(), []string{"run", "-n", path}, &out, &errOut)
		for _, want := range []string{"pinned", "mine", "block  15", "nothing was started"} {
			if status != exitFine || !strings.Contains(out.String(), want) {
				t.Errorf("%s: exit status %d, want %q in:\n%s%s", name, status, want, out.String(), errOut.String())
			}
		}
	}
}

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
		"10 blocks pilot, then as many as ±", "at most 2 h", "q1  Is the agent free within 1 %?", "kieker/bci/tcp − none, tost test",
	} {
		if status != exitFine || !strings.Contains(out.String(), want) {
			t.Errorf("exit status %d, want %q in:\n%s%s", status, want, out.String(), errOut.String())
		}
	}
}

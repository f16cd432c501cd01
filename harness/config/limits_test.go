package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"moobench/harness/strict"
)

// A file in which everything is wrong does not fill the screen.
func TestManyMistakes(t *testing.T) {
	var text strings.Builder
	for i := range 80_000 {
		fmt.Fprintf(&text, "k%d = 1\n", i)
	}
	_, err := Parse("f.toml", []byte(text.String()), known())
	es, ok := err.(strict.Errors)
	if !ok || len(es) < 80_000 {
		t.Fatalf("%T", err)
	}
	lines := strings.Split(err.Error(), "\n")
	if last := lines[len(lines)-1]; len(lines) != 21 || last != fmt.Sprintf("and %d more", len(es)-20) {
		t.Errorf("%d lines, the last one %q", len(lines), last)
	}
	if first, more := es.First(); len(first) != 20 || more != len(es)-20 {
		t.Errorf("%d are listed, and %d more", len(first), more)
	}
	if first, more := es[:3].First(); len(first) != 3 || more != 0 {
		t.Errorf("of three, %d are listed, and %d more", len(first), more)
	}
}

// Nor does a value that is as long as the file.
func TestLongValues(t *testing.T) {
	_, err := Parse("f.toml", []byte("name = 'x'\n[[scenario]]\nuse = 'overhead'\nvariants = ['none']\ncalls = '"+strings.Repeat("é", 400_000)+"'\n"), known())
	if err == nil || len(err.Error()) > 3000 || !strings.Contains(err.Error(), "…") {
		t.Errorf("%.300v", err)
	}
}

// TestSpans: an invocation may take from a second to thirty days, both included.
func TestSpans(t *testing.T) {
	for text, ok := range map[string]bool{
		"1s": true, "1000 ms": true, "720h": true, "2 min": true, "999ms": false, "720h1ns": false, "0s": false,
	} {
		toml := "name = 'x'\n[[scenario]]\nuse = 'overhead'\nvariants = ['none']\ntimeout = '" + text + "'\n"
		_, err := Parse("f.toml", []byte(toml), known())
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), `(from "1s" to "720h")`) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Equal entries are found in a list of any length.
func TestDistinct(t *testing.T) {
	var entries strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&entries, "'v%d', ", i)
	}
	_, err := Parse("f.toml", []byte("name = 'x'\n[[scenario]]\nuse = 'overhead'\nvariants = ["+entries.String()+"'v7']\n"), known())
	if err == nil || err.Error() != "f.toml:4: entry 50001 of variants says the same as entry 8" {
		t.Errorf("%.300v", err)
	}
}

// What is not a file, or too long for one of ours, is told as a mistake, and not read.
func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe, long := filepath.Join(dir, "pipe"), filepath.Join(dir, "long.toml")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(long, make([]byte, maxBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{pipe: "it is not a regular file", dir: "it is not a regular file", "/dev/zero": "it is not a regular file", long: "it is longer than 1048576 bytes"} {
		_, err := Load(path, known())
		if _, ok := err.(strict.Errors); !ok || !strings.HasPrefix(err.Error(), path+":1: "+want+" (name a benchmarks.toml") {
			t.Errorf("%s: %v", path, err)
		}
	}
	missing := filepath.Join(dir, "missing")
	if _, err := Load(missing, known()); err == nil || err.Error() != "reading "+missing+": no such file or directory" {
		t.Error(err)
	}
}

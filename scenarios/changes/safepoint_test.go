package changes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestStandstills(t *testing.T) {
	for _, c := range []struct {
		file string
		want []int64
	}{
		{"safepoint17.log", []int64{1745560, 765937, 497809, 851473, 452011, 311973, 852716}},
		{"safepoint25.log", []int64{1333699, 1298326, 1311907, 2528653, 1004120, 1062136, 1462581}},
	} {
		f, err := os.Open(filepath.Join("testdata", c.file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if got, err := standstills(f); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.file, got, err, c.want)
		}
	}
}

func TestStandstillsOfOddLogs(t *testing.T) {
	for _, c := range []struct {
		log  string
		want string // of the error; "" is none
	}{
		{"", ""},
		{"[0.1s][info][safepoint] Safepoint \"RedefineClasses\", Time since last: 1 ns, Reach", ""}, // the JVM is still writing
		{"\x00\xff garbage", ""},
		{`Safepoint "RedefineClasses", Total: 99999999999999999999 ns`, "value out of range"},
		{strings.Repeat("x", 1<<20), "token too long"},
	} {
		got, err := standstills(strings.NewReader(c.log))
		if len(got) > 0 || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, %v, want error %q", c.log, got, err, c.want)
		}
	}
}

func TestSafepointOfAFolder(t *testing.T) {
	dir := t.TempDir()
	if _, ok, err := safepoint(dir); ok || err != nil {
		t.Errorf("without a log: known %v, %v", ok, err)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "safepoint17.log"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, safepointLog), text, 0o666); err != nil {
		t.Fatal(err)
	}
	if ns, ok, err := safepoint(dir); ns != 765937 || !ok || err != nil {
		t.Errorf("median %v, %v, %v, want 765937", ns, ok, err)
	}
}

// TestSafepointsOfALog: of an even number of exchanges it is the mean of the middle ones, a log without an exchange
// has none, and one that can't be read is told.
func TestSafepointsOfALog(t *testing.T) {
	line := func(ns string) string { return `[1s] Safepoint "RedefineClasses", Total: ` + ns + " ns\n" }
	for _, c := range []struct {
		log  string
		ns   float64
		ok   bool
		want string // of the error; "" is none
	}{
		{"", 0, false, ""},
		{"[1s] Safepoint \"Cleanup\", Total: 7 ns\n", 0, false, ""},
		{line("0"), 0, true, ""},
		{line("7"), 7, true, ""},
		{line("7") + line("10"), 8.5, true, ""},
		{line("7") + line("99999999999999999999"), 0, false, "reading the safepoint log: "},
		{strings.Repeat("x", 1<<20), 0, false, "reading the safepoint log: "},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, safepointLog), []byte(c.log), 0o666); err != nil {
			t.Fatal(err)
		}
		ns, ok, err := safepoint(dir)
		failed := (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want)
		if ns != c.ns || ok != c.ok || failed {
			t.Errorf("%.80q: %v, %t, %v; want %v, %t, %q", c.log, ns, ok, err, c.ns, c.ok, c.want)
		}
	}
}

package standard

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/harness/config"
	"moobench/results"
)

func TestWished(t *testing.T) {
	for text, want := range map[string]Wish{
		"": {}, "2373 ns": {NS: 2373}, "2.373us": {NS: 2373}, "standards.json": {Path: "standards.json"}, "../kept/s.json": {Path: "../kept/s.json"},
		"2026/standards.json": {Path: "2026/standards.json"},
	} {
		if got, err := Wished(text); got != want || err != nil {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"2373": "no unit", "5 ns": "want 100 ns", "2 s": "want 100 ns", "12 parsecs": "not a time"} {
		if got, err := Wished(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, got, err, want)
		}
	}
}

// TestOff: a CPU that takes longer is slower, and a tenth either way is still the same machine.
func TestOff(t *testing.T) {
	for _, test := range []struct {
		ns, last, off float64
		far           bool
	}{
		{1000, 0, 0, false}, // there was no second campaign
		{1000, 1000, 0, false},
		{1000, 1050, 0.05, false},
		{1000, 1110, 0.11, true},
		{1000, 920, -0.08, false},
		{1000, 500, -0.5, true},
	} {
		k := Kept{Standard: results.Standard{NS: test.ns}, LastNS: test.last}
		if off := k.Off(); math.Abs(off-test.off) > 1e-12 || k.FarOff() != test.far {
			t.Errorf("%v after %v ns: off by %v, far: %v; want %v, %v", test.last, test.ns, off, k.FarOff(), test.off, test.far)
		}
	}
}

// A file is written where a campaign told it something, and reads the same; what is there is
// never changed by a later campaign, which only says what it found.
func TestKept(t *testing.T) {
	for _, path := range []string{"", filepath.Join(t.TempDir(), "new", "standards.json")} {
		t.Setenv("XDG_STATE_HOME", t.TempDir())
		f, err := Read(path)
		if err != nil || len(f.Kept) > 0 || f.Path == "" {
			t.Fatalf("%+v, %v: want an empty file with a place", f, err)
		}
		if err := f.Save(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(f.Path); err == nil {
			t.Errorf("%s was written, although nothing was told", f.Path)
		}
		own := results.Standard{
			NS: 2373, CPU: "EPYC", Stepping: "25-17-1", Runtime: "17+35", Reference: "1", From: results.FromItself,
			Made: time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC), N: 24,
		}
		later, other := own, own
		later.NS, later.Made = 2700, own.Made.Add(time.Hour)
		other.Runtime = "21+35"
		f.tell(own, true)
		f.tell(later, false) // the campaign was told at the standard that is there
		f.tell(other, false) // and this one at what its benchmarks.toml gives
		if err := f.Save(); err != nil {
			t.Fatal(err)
		}
		again, err := Read(path)
		if err != nil || len(again.Kept) != 1 {
			t.Fatalf("%+v, %v: want one standard", again, err)
		}
		if k := again.Kept[0]; k.Standard != own || k.LastNS != 2700 || !k.Last.Equal(later.Made) || !k.FarOff() {
			t.Errorf("kept %+v: want %+v, and 2700 ns as the last one, which is far off", k, own)
		}
	}
}

func TestUnreadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "standards.json")
	for text, want := range map[string]string{
		"{": "unexpected end", `{"format": 2}`: "format 2", `{"format": 1, "standards": [{"ns": 3}]}`: "want 100 ns", "[]": "cannot unmarshal",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if f, err := Read(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %+v, %v; want %q of %s", text, f, err, want, path)
		}
	}
}

// What is given stands before what is kept, and what is of another CPU is left out.
func TestFor(t *testing.T) {
	here := results.Machine{CPU: "EPYC", Stepping: "25-17-1"}
	kept := &File{Path: "x/standards.json", Kept: []Kept{
		{Standard: results.Standard{NS: 3000, CPU: "EPYC", Stepping: "25-1-1", Runtime: "17+35"}},
		{Standard: results.Standard{NS: 2373, CPU: "EPYC", Stepping: "25-17-1", Runtime: "17+35"}},
		{Standard: results.Standard{NS: 2500, CPU: "Xeon", Runtime: "17+35"}},
	}}
	parse := func(standard string) *config.File {
		text := "name = \"x\"\n[machine]\n" + standard + "\n"
		f, _ := config.Parse("nightly.toml", []byte(text), config.Known{}) // it lacks a scenario
		return f
	}
	for name, c := range map[string]struct {
		wish Wish
		toml string
		want []string // from, the first one counts
	}{
		"kept":         {Wish{}, "", []string{"standards.json 2373"}},
		"file":         {Wish{}, `standard = "2400 ns"`, []string{"nightly.toml 2400", "standards.json 2373"}},
		"fleet":        {Wish{}, `standard = { EPYC = "2401ns", Xeon = "2500ns" }`, []string{"nightly.toml 2401", "standards.json 2373"}},
		"others":       {Wish{}, `standard = { Xeon = "2500ns" }`, []string{"standards.json 2373"}},
		"command line": {Wish{NS: 2450}, `standard = "2400 ns"`, []string{"the command line 2450", "nightly.toml 2400", "standards.json 2373"}},
	} {
		got := results.Each(For(c.wish, parse(c.toml), here, kept), func(s results.Standard) string { return fmt.Sprint(s.From, " ", s.NS) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

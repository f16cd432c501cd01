package influence

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/stats"
	"moobench/results"
)

var made = time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)

func one() results.Influence {
	return results.Influence{
		Subject: "5afe", Variant: "a/b/c", CPU: "EPYC", Stepping: "25-17-1", Core: "P", Runtime: "17+35", Reference: "1",
		LogRatio: 0.002, SE: 0.001, N: 10, Made: made,
	}
}

func TestOf(t *testing.T) {
	got, err := Of(results.Influence{Subject: "5afe"}, []float64{0.01, 0.02, 0.03, 0.06}, made.Add(time.Millisecond))
	// mean 0.03, sd √(0.0014/3) = 0.0216025
	if err != nil || math.Abs(got.LogRatio-0.03) > 1e-15 || math.Abs(got.SE-0.0108012345) > 1e-9 || got.N != 4 || got.Made != made || got.Subject != "5afe" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Of(one(), []float64{0.01, 0.02}, made); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("of two pairs: %v", err)
	}
	if _, err := Of(one(), []float64{0.01, 0.02, math.NaN()}, made); !errors.Is(err, stats.ErrNotFinite) {
		t.Errorf("of no number: %v", err)
	}
}

// What is kept is found again where the same runs on the same CPU, JDK and reference, and
// nowhere else; a newer one replaces it.
func TestKept(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	f, err := Read()
	if err != nil || len(f.Kept) > 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	old, other := one(), one()
	old.LogRatio, old.Cell, other.Subject = 0.5, "c07", "0dd"
	for _, i := range []results.Influence{old, other, one()} {
		f.Keep(i)
	}
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	f, err = Read()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]results.Influence{other, one()}, f.Kept); d != "" {
		t.Errorf("kept (-want +got):\n%s", d)
	}
	cell := one()
	cell.Cell, cell.LogRatio, cell.SE, cell.N, cell.Made = "c02", 0, 0, 0, time.Time{}
	want := one()
	want.Cell = "c02"
	if d := cmp.Diff([]results.Influence{want}, f.For([]results.Influence{cell})); d != "" {
		t.Errorf("found (-want +got):\n%s", d)
	}
	for name, change := range map[string]func(*results.Influence){
		"subject":   func(i *results.Influence) { i.Subject = "e15e" },
		"cpu":       func(i *results.Influence) { i.CPU = "Xeon" },
		"stepping":  func(i *results.Influence) { i.Stepping = "25-17-2" },
		"core":      func(i *results.Influence) { i.Core = "E" },
		"runtime":   func(i *results.Influence) { i.Runtime = "17+36" },
		"reference": func(i *results.Influence) { i.Reference = "2" },
	} {
		unlike := cell
		change(&unlike)
		if got := f.For([]results.Influence{unlike}); len(got) > 0 {
			t.Errorf("of another %s: %+v", name, got)
		}
	}
}

func TestUnreadable(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	path := filepath.Join(state, "moobench", "influences.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"{": "unexpected end", `{"format": 2}`: "format 2", "[]": "cannot unmarshal",
		`{"format": 1, "influences": [{"subject": "5afe", "variant": "a/b/c", "n": 2}]}`:             "that of a/b/c",
		`{"format": 1, "influences": [{"variant": "a/b/c", "n": 5, "se": 0.1}]}`:                     "that of a/b/c",
		`{"format": 1, "influences": [{"subject": "5afe", "variant": "a/b/c", "n": 5, "se": -0.1}]}`: "that of a/b/c",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := Read(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %+v, %v; want %q of %s", text, f, err, want, path)
		}
	}
}

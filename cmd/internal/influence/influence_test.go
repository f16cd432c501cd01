package influence

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// What the blocks of three campaigns showed holds for the fourth: campaigns are the replicates. One
// that goes on has one value, and of many the latest are kept.
func TestCampaigns(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	f, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	cell := one()
	cell.Cell, cell.LogRatio, cell.SE, cell.N, cell.Made = "c02", 0, 0, 0, time.Time{}
	elsewhere := cell
	elsewhere.CPU = "Xeon"
	day := func(n int) time.Time { return made.AddDate(0, 0, n) }
	f.Tell(day(0), cell, 0.5, day(1))
	f.Tell(day(0), cell, 0.01, day(2)) // it went on
	f.Tell(day(1), cell, 0.02, day(3))
	if got := f.For([]results.Influence{cell}); len(got) > 0 {
		t.Errorf("two campaigns: %+v", got)
	}
	f.Tell(day(2), cell, 0.03, day(4))
	f.Tell(day(2), elsewhere, 0.3, day(4))
	f.Keep(one())
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	if f, err = Read(); err != nil {
		t.Fatal(err)
	}
	turns, campaigns := one(), cell
	turns.Cell = "c02"
	campaigns.From, campaigns.LogRatio, campaigns.SE, campaigns.N, campaigns.Made = results.FromCampaigns, 0.02, 0.01/math.Sqrt(3), 3, day(4)
	near := cmpopts.EquateApprox(1e-12, 0)
	if d := cmp.Diff([]results.Influence{turns, campaigns}, f.For([]results.Influence{cell, elsewhere}), near); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for n := range mostCampaigns + 5 {
		f.Tell(day(100+n), cell, float64(n)/100, day(100+n))
	}
	if n := len(f.Campaigns); n != mostCampaigns+1 || f.Campaigns[0].CPU != "Xeon" || f.Campaigns[1].LogRatio != 0.05 {
		t.Errorf("%d campaigns, the first two %+v", n, f.Campaigns[:2])
	}
	for n := range 2 * mostKept {
		cell.Subject = strconv.Itoa(n)
		f.Tell(day(n), cell, 0.01, day(n))
	}
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	if f, err = Read(); err != nil || len(f.Campaigns) != mostKept || f.Campaigns[mostKept-1].Subject != cell.Subject {
		t.Errorf("%d campaigns: %v", len(f.Campaigns), err)
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
		`{"format": 1, "campaigns": [{"subject": "5afe", "variant": "a/b/c", "log_ratio": 0.1}]}`:    "that of a/b/c in a campaign",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := Read(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %+v, %v; want %q of %s", text, f, err, want, path)
		}
	}
}

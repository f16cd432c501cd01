package influence

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/results"
)

// TestFewestPairs: three pairs are enough, whatever they are.
func TestFewestPairs(t *testing.T) {
	if got, err := Of(one(), []float64{0.1, 0.1, 0.1}, made); err != nil || got.SE != 0 || got.N != 3 ||
		math.Abs(got.LogRatio-0.1) > 1e-15 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Of(one(), []float64{0.1, 0.1}, made); err == nil ||
		!strings.Contains(err.Error(), "2 values, and at least 3 are needed") {
		t.Errorf("%v", err)
	}
}

// TestWhatIsRead: what can't be an influence is refused, and what just can be is not.
func TestWhatIsRead(t *testing.T) {
	kept := func(change func(*results.Influence)) File {
		i := one()
		change(&i)
		return File{Format: format, Kept: []results.Influence{i}}
	}
	told := func(created time.Time, change func(*results.Influence)) File {
		i := one()
		change(&i)
		return File{Format: format, Campaigns: []Campaign{{created, i}}}
	}
	for _, c := range []struct {
		name string
		file File
		ok   bool
	}{
		{"usual", kept(func(*results.Influence) {}), true},
		{"exactly known", kept(func(i *results.Influence) { i.SE = 0 }), true},
		{"a negative error", kept(func(i *results.Influence) { i.SE = -1e-9 }), false},
		{"of three", kept(func(i *results.Influence) { i.N = 3 }), true},
		{"of two", kept(func(i *results.Influence) { i.N = 2 }), false},
		{"nearly e times", kept(func(i *results.Influence) { i.LogRatio = -0.999 }), true},
		{"e times", kept(func(i *results.Influence) { i.LogRatio = 1 }), false},
		{"more", kept(func(i *results.Influence) { i.LogRatio = -1.5 }), false},
		{"of nobody", kept(func(i *results.Influence) { i.Subject = "" }), false},
		{"a campaign", told(made, func(*results.Influence) {}), true},
		{"a campaign, nearly e times", told(made, func(i *results.Influence) { i.LogRatio = 0.999 }), true},
		{"a campaign, e times", told(made, func(i *results.Influence) { i.LogRatio = -1 }), false},
		{"a campaign of nobody", told(made, func(i *results.Influence) { i.Subject = "" }), false},
		{"a campaign at no time", told(time.Time{}, func(*results.Influence) {}), false},
		{"of the future", File{Format: format + 1}, false},
	} {
		state := t.TempDir()
		t.Setenv("XDG_STATE_HOME", state)
		empty, err := Read()
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(c.file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(empty.Path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(empty.Path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := Read(); (err == nil) != c.ok || c.ok && len(f.Kept)+len(f.Campaigns) != 1 {
			t.Errorf("%s: %+v, %v", c.name, f, err)
		}
	}
}

// TestLimitsOfTheFile: of two subjects twenty campaigns are kept, the latest.
func TestLimitsOfTheFile(t *testing.T) {
	f := &File{}
	for n := range 25 {
		f.Tell(made.Add(time.Duration(n)*time.Hour), one(), float64(n)/100, made)
	}
	if len(f.Campaigns) != 20 || f.Campaigns[0].LogRatio != 0.05 || f.Campaigns[19].LogRatio != 0.24 {
		t.Errorf("%d campaigns, from %v on", len(f.Campaigns), f.Campaigns[0].LogRatio)
	}
}

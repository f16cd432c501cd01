package standard

import (
	"path/filepath"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/results"
)

// TestFinish: a campaign gives its machines the standard speeds that they lack, and tells the file what it found, also
// where it changes nothing; cores of two kinds, and campaigns without a reference, have no such speed.
func TestFinish(t *testing.T) {
	when := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	type speeds = []analysis.MachineSpeed
	speed := func(machine string, ns float64) analysis.MachineSpeed {
		return analysis.MachineSpeed{Machine: machine, Runtime: "17", NS: ns, N: 12}
	}
	first, second := speed("m1", 2100), speed("m2", 2200)
	there := results.Standard{NS: 2000, CPU: "EPYC", Runtime: "17", Reference: "1", From: results.FromCommandLine}
	for name, c := range map[string]struct {
		reference string
		has       []results.Standard
		found     speeds
		made      []float64 // ns
		kept      int       // in the file afterwards
		last      float64   // of the first one there
	}{
		"nothing measured":   {"1", nil, nil, nil, 0, 0},
		"the first":          {"1", nil, speeds{first}, []float64{2100}, 1, 0},
		"of two CPUs":        {"1", nil, speeds{first, second}, []float64{2100, 2200}, 2, 0},
		"twice the same CPU": {"1", nil, speeds{first, speed("m1", 2200)}, []float64{2100}, 1, 2200},
		"it is there":        {"1", []results.Standard{there}, speeds{first}, nil, 0, 0},
		"mixed cores":        {"1", nil, speeds{speed("mixed", 2100)}, nil, 0, 0},
		"nobody's machine":   {"1", nil, speeds{speed("m9", 2100)}, nil, 0, 0},
		"no reference":       {"", nil, speeds{first}, nil, 0, 0},
	} {
		dir := filepath.Join(t.TempDir(), "c")
		store, err := results.Create(dir, &results.Campaign{
			Name: "c", Source: "moobench", Standards: c.has, Versions: map[string]string{"jdk": "17"},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.reference != "" {
			store.Campaign().Versions[results.VersionReference] = c.reference
		}
		for _, m := range []results.Machine{
			{ID: "m1", CPU: "EPYC"}, {ID: "m2", CPU: "Xeon"}, {ID: "mixed", CPU: "Core", Core: results.MixedCores},
		} {
			if err := store.AddMachine(m); err != nil {
				t.Fatal(err)
			}
		}
		kept := &File{Path: "kept.json"}
		made, err := Finish(store, c.found, kept, when)
		if err != nil {
			t.Fatal(err)
		}
		again, err := results.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(made) != len(c.made) || len(again.Campaign().Standards) != len(c.has)+len(c.made) {
			t.Errorf("%s: made %+v, campaign %+v", name, made, again.Campaign().Standards)
			continue
		}
		for i, m := range made {
			own := m.NS == c.made[i] && m.N == 12 && m.Runtime == "17" && m.Reference == "1" && m.Made.Equal(when)
			if !own || m.From != results.FromItself || m.Path != "kept.json" {
				t.Errorf("%s: %+v", name, m)
			}
		}
		if len(kept.Kept) != c.kept || c.kept > 0 && kept.Kept[0].LastNS != c.last || kept.told != (c.kept > 0) {
			t.Errorf("%s: kept %+v", name, kept)
		}
	}
}

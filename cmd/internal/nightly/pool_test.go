package nightly

import (
	"strings"
	"testing"

	"moobench/refusal"
	"moobench/results"
)

// An alarm is settled on the machine that raised it; in a pool, on any one with its CPU.
func TestRaisedOn(t *testing.T) {
	fixed := results.HistoryKey{Machine: "m1", CPU: "EPYC 7763"}
	pooled := results.HistoryKey{Machine: "m1", Pool: "ci", CPU: "EPYC 7763"}
	for name, c := range map[string]struct {
		key  results.HistoryKey
		host results.Machine
		want string // "" is none
	}{
		"this machine":         {fixed, results.Machine{ID: "m1", CPU: "EPYC 7763"}, ""},
		"another machine":      {fixed, results.Machine{ID: "m2", CPU: "EPYC 7763"}, "it was measured on the machine m1, and this is m2"},
		"another of the pool":  {pooled, results.Machine{ID: "m2", CPU: "EPYC 7763"}, ""},
		"another CPU":          {pooled, results.Machine{ID: "m1", CPU: "Xeon 8370C"}, "it was measured on the CPU EPYC 7763 in the pool ci, and this is Xeon 8370C"},
		"older than the model": {results.HistoryKey{Machine: "m1"}, results.Machine{ID: "m1", CPU: "EPYC 7763"}, ""},
	} {
		err := raisedOn(c.key.Series(), c.host)
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || refusal.Do(err) == "") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

package report

import (
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
)

// TestServedText prints a server under load: losses, what toggles do, the load
// that was found, and, where asked for, a paper's arithmetic.
func TestServedText(t *testing.T) {
	plain, all := shared(t, testcampaign.Served), lossy(t)
	for name, c := range map[string]struct {
		answers *analysis.Answers
		o       Options
	}{
		"served-80.txt":  {plain, Options{Width: 80}},
		"served-140.txt": {plain, Options{Width: 140}},
		"served-all.txt": {all, Options{Width: 120, All: true}},
	} {
		t.Run(name, func(t *testing.T) { compareText(t, name, c.answers, c.o) })
	}
}

// TestUnservedText: nothing that could be counted was.
func TestUnservedText(t *testing.T) {
	s := testcampaign.Served()
	for _, inv := range s.Runs {
		switch {
		case inv.Cell == "c03":
			inv.Invalid = "the load was late"
		case inv.Cell == "c04":
			inv.Scalars = nil
		}
	}
	compareText(t, "unserved-100.txt", analyse(t, s), Options{Width: 100})
}

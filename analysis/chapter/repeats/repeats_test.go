package repeats

import (
	"math"
	"strings"
	"testing"

	"moobench/analysis/chapter"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/results"
)

// made is a cell that completed so many invocations, of which some were repeated.
type made struct {
	id                  string
	role                results.Role
	repeated, completed int
}

// read is the reading of cells with invocations; the second baseline is that of c0.
func read(cells ...made) *reading.Reading {
	sc := results.Scenario{Label: "s", Metrics: []results.Metric{{Name: "x", Unit: "ns", Primary: true}}}
	c, byCell := &results.Campaign{}, map[string][]*evidence.Invocation{}
	for _, m := range cells {
		cell := results.Cell{ID: m.id, Scenario: "s", Variant: "v" + m.id, Role: m.role}
		if m.role == results.RoleAA {
			cell.Baseline = "c0"
		}
		c.Cells = append(c.Cells, cell)
		for i := range m.completed {
			e := &evidence.Invocation{Invocation: &results.Invocation{
				Cell: m.id, Profile: results.ProfileTiming, Status: results.StatusOK,
			}}
			if i < m.repeated {
				e.RepeatedBy = "b0009.s00.r0"
			}
			byCell[m.id] = append(byCell[m.id], e)
		}
	}
	return reading.New(c, &sc, byCell, infer.Solver{}, nil)
}

// A cell that was repeated more often than the others is named, with the p of Fisher's exact test.
func TestRates(t *testing.T) {
	const baseline, aa, variant = results.RoleBaseline, results.RoleAA, results.RoleVariant
	for name, c := range map[string]struct {
		cells  []made
		p      float64 // 0: not compared
		cell   string
		uneven bool
		says   string
	}{
		"two cells are one test": {
			[]made{{"c0", baseline, 0, 10}, {"c2", variant, 5, 10}},
			0.0325077, "c2", true, "vc2 was disturbed and repeated in 5 of 10 invocations, the others in 0 of 10",
		},
		"more than two share the level": {
			[]made{{"c0", baseline, 0, 10}, {"c2", variant, 5, 10}, {"c3", variant, 0, 10}},
			0.0053050, "c2", true, "in 5 of 10 invocations, the others in 0 of 20",
		},
		"by chance": {[]made{{"c0", baseline, 0, 10}, {"c2", variant, 4, 10}}, 0.0866873, "c2", false, ""},
		"the second baseline counts with the first": {
			[]made{{"c0", baseline, 3, 5}, {"c1", aa, 3, 5}, {"c2", variant, 0, 10}},
			0.0108359, "c0", true, "vc0 was disturbed and repeated in 6 of 10 invocations, the others in 0 of 10",
		},
		"the second baseline comes first": {
			[]made{{"c1", aa, 6, 10}, {"c2", variant, 0, 10}},
			0.0108359, "c0", true, "vc1#aa was disturbed and repeated in 6 of 10 invocations, the others in 0 of 10",
		},
		"a cell without numbers is left out": {
			[]made{{"c0", baseline, 0, 10}, {"c2", variant, 5, 10}, {"c3", variant, 0, 0}},
			0.0325077, "c2", true, "the others in 0 of 10",
		},
		"of equals the first": {
			[]made{{"c0", baseline, 1, 10}, {"c2", variant, 1, 10}, {"c3", variant, 1, 10}}, 1, "c0", false, "",
		},
		"nothing to compare with": {[]made{{"c0", baseline, 5, 10}, {"c1", aa, 0, 10}}, 0, "", false, ""},
	} {
		rep := Of(read(c.cells...), nil)
		if (rep.P != nil) != (c.p > 0) || rep.P != nil && math.Abs(*rep.P-c.p) > 1e-6 || rep.Cell != c.cell {
			t.Errorf("%s: p %v of %q, want %v of %q", name, rep.P, rep.Cell, c.p, c.cell)
		}
		if rep.Uneven != c.uneven || !strings.Contains(rep.Text, c.says) || (len(rep.Notes()) > 0) != c.uneven {
			t.Errorf("%s: %+v, notes %q", name, rep, rep.Notes())
		}
	}
}

// The sums are those of all cells, and those that were repeated are named.
func TestCounts(t *testing.T) {
	rep := Of(read(made{"c0", results.RoleBaseline, 1, 9}, made{"c1", results.RoleAA, 0, 8},
		made{"c2", results.RoleVariant, 2, 12}), nil)
	want := "all completed invocations count, also the 3 of 29 that were disturbed and repeated (vc0 1, vc2 2)"
	if rep.Repeated != 3 || rep.Completed != 29 || rep.Primary != "all" || rep.Text != want || rep.Notes() != nil {
		t.Errorf("%+v", rep)
	}
	if rep.Show(&chapter.Scene{}) != nil || rep.Rows(&chapter.Scene{}) != nil || rep.Marks() != nil {
		t.Error("it says more than its notes do")
	}
	if rep = nil; rep.Notes() != nil {
		t.Error("nothing has notes")
	}
}

// between is an estimate with an interval.
func between(value, low, high float64) *infer.Estimate {
	return &infer.Estimate{N: 7, Value: value, Interval: &infer.Interval{Low: low, High: high}}
}

// Comparisons whose verdict is another one without the repeated are named, in the order that they come in.
func TestChangedVerdicts(t *testing.T) {
	r := read(made{"c0", results.RoleBaseline, 0, 10}, made{"c2", results.RoleVariant, 1, 10})
	higher := infer.Answer{Difference: between(20, 10, 30), Verdict: infer.Higher}
	undecided := infer.Answer{Difference: between(5, -10, 20), Verdict: infer.Undecided}
	none := infer.Answer{Verdict: infer.NoAnswer}
	rep := Of(r, []Compared{
		{What: "the first", Unit: "ns", All: higher, Kept: undecided},
		{What: "the second", Unit: "ns", All: undecided, Kept: infer.Answer{Difference: higher.Difference, Verdict: infer.Undecided}},
		{What: "the third", Unit: "ns", All: higher, Kept: none},
	})
	want := []string{
		"the first is +20.00 ns (10.00 … 30.00) with them and +5.00 ns (−10.00 … 20.00) without",
		"the third is +20.00 ns (10.00 … 30.00) with them and not known without",
	}
	text := "; without them the verdict differs: " + strings.Join(want, "; ")
	if strings.Join(rep.Differs, "\n") != strings.Join(want, "\n") || !strings.HasSuffix(rep.Text, text) {
		t.Errorf("%q, %s", rep.Differs, rep.Text)
	}
	one := Of(r, []Compared{{What: "the first", Unit: "ns", All: higher, Kept: undecided}})
	if len(rep.Notes()) != 1 || rep.Uneven || !strings.HasSuffix(one.Text, "; without them the verdict differs: "+want[0]) {
		t.Errorf("notes %q, %s", rep.Notes(), one.Text)
	}
}

// What an answer would be without the repeated stands beside it, if it has an interval.
func TestText(t *testing.T) {
	for _, c := range []struct {
		kept *infer.Estimate
		want string
	}{
		{between(20, 10, 30), "without the disturbed invocations that were repeated: +20.00 ns (10.00 … 30.00), n = 7"},
		{&infer.Estimate{N: 1, Value: 20}, ""},
		{nil, ""},
	} {
		if got := (&Compared{Unit: "ns", Kept: infer.Answer{Difference: c.kept}}).Text(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Only a reading with repeated invocations has another one without them.
func TestWithout(t *testing.T) {
	baseline := made{"c0", results.RoleBaseline, 0, 10}
	if r := Without(read(baseline, made{"c2", results.RoleVariant, 0, 10})); r != nil {
		t.Error("nothing was repeated")
	}
	r := Without(read(baseline, made{"c2", results.RoleVariant, 3, 10}))
	if r == nil || len(r.Primaries("c0")) != 10 || len(r.Primaries("c2")) != 7 {
		t.Errorf("%+v", r)
	}
}

package compare

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/results"
)

// pair are two campaigns that are alike; spoil changes the second one.
func pair(spoil func(*analysis.Answers)) (older, newer *analysis.Answers) {
	older, newer = night(1, baseline(1000), variant("x", 0.5, 0.01)), night(2, baseline(1000), variant("x", 0.5, 0.01))
	spoil(newer)
	return older, newer
}

// spoilt is a change that makes campaigns unlike, with the line that says so.
type spoilt struct {
	spoil func(*analysis.Answers)
	want  string
	cells []string
}

func unlikePlans() map[string]spoilt {
	return map[string]spoilt{
		"design":     {func(a *analysis.Answers) { a.Campaign.Design = results.DesignUnordered }, "design", nil},
		"other tool": {func(a *analysis.Answers) { a.Campaign.Source = "MooBench" }, "measured by", nil},
		"machine": {func(a *analysis.Answers) {
			a.Machines[0].ID = "m2"
			a.Invocations = nil
		}, "machine", nil},
		"another CPU in the pool": {func(a *analysis.Answers) {
			a.Campaign.Control = &results.Control{Pool: "ci"}
			a.Machines[0].ID, a.Machines[0].CPU = "m2", "Other"
			a.Invocations = nil
		}, "machine", nil},
		"new major version": {func(a *analysis.Answers) { a.Campaign.Versions["moobench"] = "1.0.0" }, "moobench", nil},
		"shortened":         {func(a *analysis.Answers) { a.Campaign.Scale = 0.1 }, "shortened to", nil},
		"window":            {func(a *analysis.Answers) { a.Scenarios[0].WindowKind = results.WindowHalf }, "window", nil},
		"scenario":          {func(a *analysis.Answers) { a.Scenarios[0].Use = "turnaround" }, "scenario", nil},
		"unit":              {func(a *analysis.Answers) { a.Scenarios[0].Metrics[0].Unit = "ms" }, "metric duration", nil},
		"parameter":         {func(a *analysis.Answers) { a.Scenarios[0].Common[0].Value = "1000" }, "calls", nil},
		"new parameter": {func(a *analysis.Answers) {
			a.Scenarios[0].Common = append(a.Scenarios[0].Common, results.Value{Name: "gc", Value: "g1"})
		}, "gc", nil},
		"JDK": {func(a *analysis.Answers) {
			for i := range a.Invocations {
				a.Invocations[i].Runtime = "21.0.7+6"
			}
		}, "JDK", nil},
		"JDK of one cell": {func(a *analysis.Answers) { a.Invocations[1].Runtime = "21.0.7+6" }, "JDK", []string{"x"}},
		"CPUs":            {func(a *analysis.Answers) { a.Invocations[0].CPUs, a.Invocations[1].CPUs = "3", "3" }, "CPUs", nil},
		"heap": {func(a *analysis.Answers) {
			for i := range a.Invocations {
				a.Invocations[i].Command[2] = "-Xmx512m"
			}
		}, "JVM options (timing)", nil},
		"fixture": {func(a *analysis.Answers) { a.Scenarios[0].Cells[1].Launch.Fixture = "classes" }, "fixture", []string{"x"}},
		"reference": {func(a *analysis.Answers) {
			s := &a.Scenarios[0]
			s.Cells = append(s.Cells, s.Cells[0])
			s.Cells[2].ID, s.Cells[2].Variant = "c02", "kieker/manual/inactive"
			s.Cells[1].Baseline = "c02"
		}, "reference", []string{"x"}},
	}
}

func TestUnlike(t *testing.T) {
	for name, c := range unlikePlans() {
		older, newer := pair(c.spoil)
		_, err := two(older, newer, Options{})
		var unlike *UnlikeError
		if !errors.As(err, &unlike) || len(unlike.Lines) != 1 || unlike.Lines[0].What != c.want || !slices.Equal(unlike.Lines[0].Cells, c.cells) {
			t.Errorf("%s: %v %+v", name, err, unlike)
			continue
		}
		if v := unlike.Lines[0].Values; len(v) != 2 || v[0] == v[1] || v[0] == "" || v[1] == "" {
			t.Errorf("%s: %q", name, v)
		}
		if got := compared(t, older, newer, Options{Anyway: true}); len(got.Unlike) != 1 {
			t.Errorf("%s: compared all the same, and does not say so", name)
		}
	}
}

// What comparisons are made for, and what nobody knows, does not forbid one.
func TestAllowed(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*analysis.Answers)
		want  string // what differs, "" when nothing is said
	}{
		"nothing":           {func(*analysis.Answers) {}, ""},
		"new minor version": {func(a *analysis.Answers) { a.Campaign.Versions["moobench"] = "0.2.0" }, "moobench"},
		"another agent": {func(a *analysis.Answers) {
			a.Scenarios[0].Cells[1].Launch.Artifacts = []results.Artifact{{Name: "mine.jar", SHA256: "0123456789abcdef"}}
		}, "artifacts"},
		"its arguments": {func(a *analysis.Answers) { a.Scenarios[0].Cells[1].Launch.JVMArgs = []string{"-javaagent:{jar}=fast"} }, "arguments"},
		"its own JVM options": {func(a *analysis.Answers) {
			a.Scenarios[0].Cells[1].Launch.JVMArgs = []string{"-javaagent:{jar}", "-XX:+Own"}
			a.Invocations[1].Command = append(a.Invocations[1].Command, "-XX:+Own")
		}, "arguments"},
		"a setting":        {func(a *analysis.Answers) { a.Settings["governor"] = "powersave" }, "governor of the machine"},
		"blocks":           {func(a *analysis.Answers) { a.Campaign.Blocks = 30 }, "blocks"},
		"cells' names":     {func(a *analysis.Answers) { rename(a) }, ""},
		"an unknown JDK":   {func(a *analysis.Answers) { a.Invocations[0].Runtime, a.Invocations[1].Runtime = "", "" }, ""},
		"no command lines": {func(a *analysis.Answers) { a.Invocations[0].Command, a.Invocations[1].Command = nil, nil }, ""},
	} {
		older, newer := pair(c.spoil)
		got, err := two(older, newer, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.want == "" && len(got.Changed) != 0 || c.want != "" && (len(got.Changed) != 1 || got.Changed[0].What != c.want) {
			t.Errorf("%s: %+v", name, got.Changed)
		}
	}
}

// Where any machine of a pool would do, those of one CPU model are alike, and those of unlike models
// are not: both are named.
func TestUnlikePool(t *testing.T) {
	for name, c := range map[string]struct {
		pools, models [2]string
		want          []Difference
	}{
		"one model":         {[2]string{"ci", "ci"}, [2]string{"EPYC 7763", "EPYC 7763"}, nil},
		"two models":        {[2]string{"ci", "ci"}, [2]string{"EPYC 7763", "Xeon 8370C"}, []Difference{{What: "CPU model in the pool ci", Values: []string{"EPYC 7763", "Xeon 8370C"}}}},
		"two pools":         {[2]string{"ci", "lab"}, [2]string{"EPYC 7763", "EPYC 7763"}, []Difference{{What: "machine", Values: []string{"h1 EPYC 7763 (m1)", "h2 EPYC 7763 (m2)"}}}},
		"one without":       {[2]string{"ci", ""}, [2]string{"EPYC 7763", "EPYC 7763"}, []Difference{{What: "machine", Values: []string{"h1 EPYC 7763 (m1)", "h2 EPYC 7763 (m2)"}}}},
		"no pool, as ever":  {[2]string{"", ""}, [2]string{"EPYC 7763", "EPYC 7763"}, []Difference{{What: "machine", Values: []string{"h1 EPYC 7763 (m1)", "h2 EPYC 7763 (m2)"}}}},
		"of unknown models": {[2]string{"ci", "ci"}, [2]string{"", ""}, []Difference{{What: "machine", Values: []string{"h1 (m1)", "h2 (m2)"}}}},
	} {
		older, newer := pair(func(*analysis.Answers) {})
		for i, a := range []*analysis.Answers{older, newer} {
			id := fmt.Sprint("m", i+1)
			a.Machines = []*results.Machine{{ID: id, Host: fmt.Sprint("h", i+1), CPU: c.models[i]}}
			for j := range a.Invocations {
				a.Invocations[j].Machine = id
			}
			if c.pools[i] != "" {
				a.Campaign.Control = &results.Control{Pool: c.pools[i]}
			}
		}
		_, err := two(older, newer, Options{})
		var unlike *UnlikeError
		var got []Difference
		if errors.As(err, &unlike) {
			got = unlike.Lines
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Pilots that found other numbers of calls forbid no comparison, and are said; so is which
// cells made them.
func TestPilotsCalls(t *testing.T) {
	settled := func(day int, calls ...int64) *analysis.Answers {
		a := night(day, baseline(1000), variant("x", 0.5, 0.01))
		s := &a.Scenarios[0]
		s.Common[0].Value, s.Settling = results.Auto, &results.Settling{Parameter: "calls"}
		if len(calls) > 0 {
			s.Settling.Decision = &results.SettlingDecision{}
		}
		for i, n := range calls {
			g := results.SettledGroup{Calls: n, Cells: []results.SettledCell{{Cell: s.Cells[i].ID}}}
			s.Settling.Decision.Groups = append(s.Settling.Decision.Groups, g)
		}
		return a
	}
	for name, c := range map[string]struct {
		newer *analysis.Answers
		want  []Difference
	}{
		"as many":     {settled(2, 240_000, 240_000), []Difference{}},
		"more":        {settled(2, 310_000, 310_000), []Difference{{What: "calls (auto)", Values: []string{"240,000", "310,000"}}}},
		"more of one": {settled(2, 240_000, 310_000), []Difference{{What: "calls (auto)", Values: []string{"240,000", "310,000"}, Cells: []string{"x"}}}},
		"not found":   {settled(2), []Difference{}},
		"other levels": {settled(2, 9_000, 310_000), []Difference{
			{What: "calls (auto)", Values: []string{"240,000", "9,000"}, Cells: []string{"none"}},
			{What: "calls (auto)", Values: []string{"240,000", "310,000"}, Cells: []string{"x"}},
		}},
	} {
		got, err := two(settled(1, 240_000, 240_000), c.newer, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if diff := cmp.Diff(c.want, got.Changed); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// rename gives cells other IDs.
func rename(a *analysis.Answers) {
	s := &a.Scenarios[0]
	for i := range s.Cells {
		s.Cells[i].ID = "z" + s.Cells[i].ID
		if b := s.Cells[i].Baseline; b != "" {
			s.Cells[i].Baseline = "z" + b
		}
		a.Invocations[i].Cell = s.Cells[i].ID
	}
}

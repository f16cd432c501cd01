package compare

import (
	"fmt"
	"math"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// made is a cell that a test makes up: the logarithm of its ratio to the
// reference with standard error and degrees of freedom, and its own mean.
type made struct {
	variant     string
	role        results.Role
	framework   string // of a reference that is monitored itself; "" is compared in ns
	level       string // of the factor depth
	log, se, df float64
	mean        float64 // ns
	sem         float64 // its standard error
	n           int
}

// variant is a cell of ten blocks that is compared with the baseline.
func variant(name string, log, se float64) made {
	return made{variant: name, role: results.RoleVariant, log: log, se: se, df: 9, mean: 1000 * math.Exp(log), sem: 5, n: 10}
}

func baseline(mean float64) made {
	return made{variant: "none", role: results.RoleBaseline, mean: mean, sem: mean / 200, n: 10, framework: "monitored"}
}

// night makes up the answers of a campaign.
func night(day int, cells ...made) *analysis.Answers {
	start := time.Date(2026, 11, day, 3, 0, 0, 0, time.UTC)
	metric := results.Metric{Name: "duration", Unit: "ns", Better: results.Lower, About: "one call", Profile: results.ProfileTiming, Primary: true, Series: "duration"}
	a := &analysis.Answers{
		Version: results.Format,
		Campaign: analysis.Campaign{
			Name: "nightly", Source: "moobench", Design: results.DesignBlocks, Start: &start, Blocks: 10,
			Versions: map[string]string{"moobench": "0.1.0"}, Runtimes: []string{"17.0.15+6"},
		},
		Machines: []*results.Machine{{ID: "m1", Host: "bench-01", CPU: "Made-up 7402P"}},
		Settings: map[string]string{"governor": "performance"},
		Scenarios: []analysis.Scenario{{
			Label: "overhead", Use: "overhead", Primary: "duration", Metrics: []results.Metric{metric}, WindowKind: results.WindowSteady,
			Common: []results.Value{{Name: "calls", Value: "2000000", Unit: "calls"}},
		}},
	}
	s := &a.Scenarios[0]
	for i, c := range cells {
		s.Cells = append(s.Cells, c.cell(fmt.Sprintf("c%02d", i), baselineOf(cells, c.level)))
		a.Invocations = append(a.Invocations, analysis.Invocation{
			ID: fmt.Sprintf("b0001.s%02d.r0", i), Cell: s.Cells[i].ID, Scenario: "overhead", Profile: results.ProfileTiming, Status: results.StatusOK,
			Machine: "m1", Runtime: "17.0.15+6", CPUs: "2-3", Start: &start,
			Command: []string{"java", "-XX:+UseSerialGC", "-Xmx2g", "-Xlog:gc:file=gc.log", "-javaagent:/tmp/" + c.variant + ".jar", "-cp", "/x", "Main"},
		})
	}
	return a
}

func baselineOf(cells []made, level string) string {
	for i, c := range cells {
		if c.role == results.RoleBaseline && c.level == level {
			return fmt.Sprintf("c%02d", i)
		}
	}
	return ""
}

func (m made) cell(id, reference string) analysis.Cell {
	c := analysis.Cell{ID: id, Variant: m.variant, Label: m.variant, Role: m.role, Framework: m.framework, Launch: results.Launch{Fixture: "calls", JVMArgs: []string{"-javaagent:{jar}"}}}
	if m.level != "" {
		c.Factors = []results.Value{{Name: "depth", Value: m.level, Unit: "calls"}}
		c.Level = "depth=" + m.level
		c.Label += " " + c.Level
	}
	answer := analysis.MetricAnswer{Metric: "duration", Mean: estimate(m.mean, m.sem, float64(m.n-1), m.n)}
	if m.role != results.RoleBaseline {
		c.Baseline = reference
		answer.Ratio = ratio(m.log, m.se, m.df, m.n)
		base := m.mean / math.Exp(m.log)
		answer.Difference = estimate(m.mean-base, m.sem, m.df, m.n)
	}
	c.Metrics = []analysis.MetricAnswer{answer}
	return c
}

// estimate is one with its 95 % interval, as an analysis would have it.
func estimate(value, se, df float64, n int) *analysis.Estimate {
	if n == 1 {
		return &analysis.Estimate{N: 1, Value: value, NoInterval: "one"}
	}
	i := stats.IntervalT(value, se, df, stats.TwoSided, 0.95)
	e := &analysis.Estimate{N: n, Value: value, SE: &se, DF: &df, Interval: &analysis.Interval{Low: i.Low, High: i.High, Level: 0.95}}
	if test := stats.TestT(value, se, df, stats.TwoSided); test != nil {
		e.Test = &analysis.Test{T: test.T, DF: test.DF, P: test.P}
	}
	return e
}

// ratio is the estimate of a ratio whose logarithm this is.
func ratio(log, se, df float64, n int) *analysis.Estimate {
	e := estimate(log, se, df, n)
	e.Value = math.Exp(e.Value)
	if e.Interval != nil {
		e.Interval.Low, e.Interval.High = math.Exp(e.Interval.Low), math.Exp(e.Interval.High)
	}
	return e
}

// only is the one change of the cell of this label in the primary metric.
func only(t *testing.T, c *Comparison, label string) Change {
	t.Helper()
	for _, r := range c.Scenarios[0].Metrics[0].Rows {
		if r.Cell == label && len(r.Changes) == 1 {
			return r.Changes[0]
		}
	}
	t.Fatalf("no single change of %s in %+v", label, c.Scenarios)
	return Change{}
}

// two sets a newer campaign against an older one.
func two(older, newer *analysis.Answers, o Options) (*Comparison, error) {
	return Several([]*analysis.Answers{older, newer}, o)
}

func compared(t *testing.T, older, newer *analysis.Answers, o Options) *Comparison {
	t.Helper()
	c, err := two(older, newer, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// primaryOf compares the primary metric as Compare does, and keeps what is dear
// to compute for the next comparison.
func primaryOf(d infer.Solver, older, newer *analysis.Answers, margin float64) Metric {
	t := newTable([]*analysis.Answers{older, newer})
	j := &judge{Options: Options{Margin: margin, Solver: d}, table: t, machines: machineIDs(t.columns[0].answers)}
	return j.scenario(t.sections[0]).Metrics[0]
}

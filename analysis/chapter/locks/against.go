package locks

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/refusal"
	"moobench/results"
)

// Parameters of the comparison of runs.
const (
	alpha = 0.05
	// Matters is the share of the program's time by which waiting must change to matter.
	Matters     = 0.01
	mostClasses = 8 // of locks that are compared by themselves
	// mostSeen are the classes of locks that are told apart: a file of metrics may name very many,
	// and each has a value for each run. What others waited is in the sum of all.
	mostSeen = 4096
)

// Comparison compares runs of a program with earlier ones. A run is one observation: a single run
// does not show the variation between runs.
type Comparison struct {
	Runs [2]int // before, and after
	// All is the waiting time for all locks together, and Classes for the lock classes where it
	// changed most.
	All     Change
	Classes []Change
	// MarginNS is the largest change that does not matter: a share of the earlier program time.
	MarginNS float64
	// Executions is the median number of executions per run, before and after: if it differs, the
	// runs did different work, and their waits are not comparable.
	Executions [2]float64
	// Missing counts the runs, before and after, whose logs lack events, or their end.
	Missing [2]int
	// Logs lists the optional events that were logged, before and after.
	Logs [2][]string
}

// Change compares one quantity before and after.
type Change struct {
	Class  string       // of locks; "" for all
	values [2][]float64 // of the runs before and after, in ns
	// Answer compares the ranks of the later runs with the earlier ones; it has no interval if
	// there are too few.
	Answer infer.Answer
}

// Worse reports whether the wait is shown to be longer, by more than the margin.
func (c *Comparison) Worse() bool { return c.All.Answer.Verdict == infer.Higher }

// Decidable reports whether so many runs can show a difference at all: whether the two most extreme
// rank orders have p below alpha.
func (c *Comparison) Decidable() bool {
	orders := 1.0 // number of orders of n runs among n + m, which is whole at each step
	for i := range c.Runs[0] {
		orders = orders * float64(c.Runs[1]+i+1) / float64(i+1)
	}
	return 2/orders < alpha
}

// Against compares runs with earlier ones, by the ranks of their values (Mann and Whitney 1947):
// waiting times are skewed, and may be 0, and ranks need no distributional assumptions.
func Against(before, after *Metrics) (*Comparison, error) {
	c := &Comparison{Runs: [2]int{len(before.Runs), len(after.Runs)}, Logs: [2][]string{before.Log, after.Log}}
	for _, log := range c.Logs {
		if !slices.Contains(log, "contention") {
			err := errors.New("it was not logged when locks were asked for, before or after")
			return nil, refusal.New(err, "both need --log contention")
		}
	}
	classes := map[string]*Change{}
	var programs []float64
	for side, m := range []*Metrics{before, after} {
		var executions []float64
		for i := range m.Runs {
			r := &m.Runs[i]
			executions = append(executions, c.add(side, r, i, classes))
			if side == 0 {
				programs = append(programs, r.programNS())
			}
		}
		c.Executions[side] = middle(executions)
	}
	c.MarginNS = Matters * middle(programs)
	c.compare(&c.All, 1)
	c.most(classes)
	return c, nil
}

// add adds a run's waits to the total and to each class, and returns its executions.
func (c *Comparison) add(side int, r *Run, run int, classes map[string]*Change) (executions float64) {
	of := func(x *Change) []float64 {
		if x.values[0] == nil {
			x.values = [2][]float64{make([]float64, c.Runs[0]), make([]float64, c.Runs[1])}
		}
		return x.values[side]
	}
	missing := r.Unread > 0
	all := of(&c.All)
	for _, jvm := range r.JVMs {
		missing = missing || jvm.MissingEvents > 0 || jvm.Killed
		for _, l := range jvm.Locks {
			executions += float64(l.Executions)
			all[run] += float64(l.WaitedNS)
			if l.WaitedNS == 0 {
				continue
			}
			x := classes[l.Class]
			if x == nil && len(classes) == mostSeen {
				continue
			}
			if x == nil {
				x = &Change{Class: l.Class}
				classes[l.Class] = x
			}
			of(x)[run] += float64(l.WaitedNS)
		}
	}
	if missing {
		c.Missing[side]++
	}
	return executions
}

// most compares the classes that changed most, with simultaneous intervals.
func (c *Comparison) most(classes map[string]*Change) {
	sizes := map[string]float64{}
	for class, x := range classes {
		sizes[class] = x.size()
	}
	order := slices.SortedFunc(maps.Keys(classes), func(x, y string) int {
		return cmp.Or(cmp.Compare(sizes[y], sizes[x]), cmp.Compare(x, y))
	})
	for _, class := range order[:min(mostClasses, len(order))] {
		c.Classes = append(c.Classes, *classes[class])
	}
	for i := range c.Classes {
		c.compare(&c.Classes[i], len(c.Classes))
	}
}

// compare tests whether a quantity changed; family is the number of such tests read together.
func (c *Comparison) compare(x *Change, family int) {
	margin := &results.Margin{Amount: max(1, c.MarginNS)}
	q := infer.Question{Kind: results.TestMannWhitney, Alpha: alpha, Family: family, Margin: margin}
	data := infer.Data{X: infer.Sample{Values: x.values[1]}, Y: infer.Sample{Values: x.values[0]}}
	x.Answer = infer.Solver{}.Compare(q, data)
}

// Medians returns the medians of the runs before and after.
func (x *Change) Medians() (before, after float64) { return middle(x.values[0]), middle(x.values[1]) }

// size returns the absolute difference of the medians.
func (x *Change) size() float64 {
	before, after := x.Medians()
	return max(after-before, before-after)
}

// programNS returns the time of the longest JVM of a run.
func (r *Run) programNS() float64 {
	longest := 0.0
	for _, j := range r.JVMs {
		longest = max(longest, float64(j.ProgramNS))
	}
	return longest
}

// middle is the median; 0 for an empty slice.
func middle(values []float64) float64 {
	m, err := stats.Median(values)
	if err != nil {
		return 0
	}
	return m
}

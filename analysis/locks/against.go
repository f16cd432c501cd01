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

// How runs are compared.
const (
	alpha = 0.05
	// matters is the share of the program's time by which waiting must change to matter.
	matters     = 0.01
	mostClasses = 8 // of locks that are compared by themselves
)

// Comparison is what runs of a program say beside runs before. A run is one observation: how
// much runs differ by themselves is in no single one.
type Comparison struct {
	Runs [2]int // before, and after
	// All is how long threads waited, for all locks and together, and Classes for those of a
	// class, where that changed most.
	All     Change
	Classes []Change
	// MarginNS is what does not matter: a share of the program's time before.
	MarginNS float64
	// Executions is how many there were in a run, at the median, before and after: of runs that
	// did not do the same, waits are not comparable.
	Executions [2]float64
	// Missing are the runs, before and after, whose logs lack events, or an end.
	Missing [2]int
	// Logs says what was logged besides, before and after.
	Logs [2][]string
}

// Change is what became of one quantity, a value for each run, in ns.
type Change struct {
	Class  string // of locks; "" of all
	Values [2][]float64
	// Answer is what ranks say of the runs after against those before; without an interval where
	// they are too few.
	Answer infer.Answer
}

// Worse says whether threads are shown to wait longer, by more than does not matter.
func (c *Comparison) Worse() bool { return c.All.Answer.Verdict == infer.Higher }

// Decidable says whether so many runs can show a difference at all: whether the two most unlike
// orders of their ranks have a p below alpha.
func (c *Comparison) Decidable() bool {
	orders := 1.0 // of n runs among n + m
	for i := range c.Runs[0] {
		orders *= float64(c.Runs[1]+i+1) / float64(i+1)
	}
	return 2/orders < alpha
}

// Against compares runs with those before, by the ranks of their values (Mann and Whitney 1947): times
// that threads wait are skewed, and may be 0, and ranks suppose nothing of their distribution.
func Against(before, after *Metrics) (*Comparison, error) {
	c := &Comparison{Runs: [2]int{len(before.Runs), len(after.Runs)}, Logs: [2][]string{before.Log, after.Log}}
	for _, log := range c.Logs {
		if !slices.Contains(log, "contention") {
			err := errors.New("it was not logged when locks were asked for, before or after")
			return nil, refusal.New(err, "both need --log contention")
		}
	}
	var programs []float64
	classes := map[string]bool{}
	for side, m := range []*Metrics{before, after} {
		var executions []float64
		for _, r := range m.Runs {
			executions = append(executions, r.sum(func(l *LockMetrics) int64 { return l.Executions }))
			if r.Unread > 0 || slices.ContainsFunc(r.JVMs, func(j JVMMetrics) bool { return j.MissingEvents > 0 || j.Killed }) {
				c.Missing[side]++
			}
			for _, j := range r.JVMs {
				for _, l := range j.Locks {
					classes[l.Class] = classes[l.Class] || l.WaitedNS > 0
				}
			}
			if side == 0 {
				programs = append(programs, r.programNS())
			}
		}
		c.Executions[side] = middle(executions)
	}
	c.MarginNS = matters * middle(programs)
	c.All = c.change("", before, after, 1)
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		if classes[class] {
			c.Classes = append(c.Classes, c.change(class, before, after, 1))
		}
	}
	slices.SortStableFunc(c.Classes, func(x, y Change) int { return cmp.Compare(y.size(), x.size()) })
	c.Classes = c.Classes[:min(mostClasses, len(c.Classes))]
	for i := range c.Classes { // their intervals hold together
		c.Classes[i] = c.change(c.Classes[i].Class, before, after, len(c.Classes))
	}
	return c, nil
}

// change compares one quantity; family is how many are read together.
func (c *Comparison) change(class string, before, after *Metrics, family int) Change {
	x := Change{Class: class}
	for side, m := range []*Metrics{before, after} {
		for _, r := range m.Runs {
			x.Values[side] = append(x.Values[side], r.sum(func(l *LockMetrics) int64 {
				if class != "" && l.Class != class {
					return 0
				}
				return l.WaitedNS
			}))
		}
	}
	margin := &results.Margin{Amount: max(1, c.MarginNS)}
	q := infer.Question{Kind: results.TestMannWhitney, Alpha: alpha, Family: family, Margin: margin}
	data := infer.Data{X: infer.Sample{Values: x.Values[1]}, Y: infer.Sample{Values: x.Values[0]}}
	x.Answer = infer.Solver{}.Compare(q, data)
	return x
}

// Medians are those of the runs before, and after.
func (x *Change) Medians() (before, after float64) { return middle(x.Values[0]), middle(x.Values[1]) }

// size is by how much the medians of a quantity differ.
func (x *Change) size() float64 {
	before, after := x.Medians()
	return max(after-before, before-after)
}

// sum adds up something of all locks of a run.
func (r *Run) sum(of func(l *LockMetrics) int64) float64 {
	sum := 0.0
	for i := range r.JVMs {
		for k := range r.JVMs[i].Locks {
			sum += float64(of(&r.JVMs[i].Locks[k]))
		}
	}
	return sum
}

// programNS is how long the longest JVM of a run took.
func (r *Run) programNS() float64 {
	longest := 0.0
	for _, j := range r.JVMs {
		longest = max(longest, float64(j.ProgramNS))
	}
	return longest
}

// middle is the median of some values; 0 of none.
func middle(values []float64) float64 {
	m, err := stats.Median(values)
	if err != nil {
		return 0
	}
	return m
}

package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/stats"
	"moobench/results"
)

// Waiting holds what the calls of a cell waited for, as shares of the measuring threads' time,
// averaged over invocations, and which part was subtracted.
type Waiting struct {
	// Told is false if some invocation of the factor level did not record what it waited for: then
	// only Delay is known, and nothing is subtracted.
	Told    bool
	Taken   float64 // subtracted from each mean: foreign programs and the virtual machine's host
	Foreign float64 // for foreign programs
	Steal   float64 // for the host
	Others  float64 // for programs that may belong to the variant
	Own     float64 // for the subject's other threads, moobench and the kernel
	Delay   float64 // for everything but the host
	doubt   float64 // uncertainty of Foreign
	// Kept names the programs that ran more beside a variant than beside its baseline, so are not
	// subtracted; KeptShare is the time that calls waited for them.
	Kept      []string
	KeptShare float64
	// Few says that there are too few blocks to decide Kept.
	Few bool
	// Names are the subtracted programs that calls waited for most.
	Names []string
	// Refused says why there is no mean; "" if there is one.
	Refused string
}

const (
	// leastWaiting is the share of its calls' time that a cell of a level must have waited before
	// anything is subtracted in that level: less would not show in a printed mean, and a quiet
	// campaign stays unchanged to the last digit.
	leastWaiting = 0.005
	// mostWaiting is the share above which no mean is given: beside a program that takes all the
	// CPU it can get, the kernel takes more from the window than from the loop.
	mostWaiting = 0.35
	// mostDoubt is the largest tolerated share of time for which it is unknown whether threads
	// slept or waited.
	mostDoubt = 0.05

	// A program goes with a variant if a one-sided t test over blocks shows that calls waited more
	// for it beside the variant than beside the baseline, by more than keptMargin of that and
	// keptLeast of their time, at keptAlpha divided by the number of programs.
	keptAlpha, keptMargin, keptLeast = 0.05, 0.1, 0.002
	// keptPairs is the least number of blocks for that test: in fewer, a helper of varying load
	// would not be detected.
	keptPairs = 5
)

// host is the name of a virtual machine's host among the programs.
const host = "the host of this virtual machine"

// takeOut subtracts from the means of the calls the time they waited for programs unrelated to the
// measurement: ones that ran before, and the virtual machine's host. A thread is assumed to lose
// the same share of the window as of the loop, so the mean shrinks by that share. Quantiles stay:
// the median call did not wait.
func takeOut(c *results.Campaign, all []Invocation) {
	var timed []*Invocation
	for i := range all {
		if _, told := all[i].Scalars[runDelay]; told && calls(c, &all[i]) != "" {
			timed = append(timed, &all[i])
		}
	}
	level := func(e *Invocation) [3]string {
		cell := c.Cell(e.Cell)
		return [3]string{cell.Scenario, cell.Level(), e.Machine}
	}
	for _, es := range stats.Grouped(timed, level) {
		waits := waitsOf(es)
		kept, few := waits.kept(c, es)
		cells := stats.Grouped(es, func(e *Invocation) string { return e.Cell })
		found := results.Each(cells, func(of []*Invocation) *Waiting { return waits.of(of, kept, few) })
		waited := func(w *Waiting) bool { return w.Taken+w.doubt >= leastWaiting }
		takes := waits != nil && slices.ContainsFunc(found, waited)
		for i, of := range cells {
			found[i].settle(takes)
			for _, e := range of {
				e.Waiting = found[i]
				e.take(calls(c, e), waits, kept, takes)
			}
		}
	}
}

// runDelay is the scalar of the measuring threads' wait for a CPU.
const runDelay = "run_delay_ns"

// calls returns the name of the invocation's primary metric if that is a mean of call times; else
// "".
func calls(c *results.Campaign, e *Invocation) string {
	m := primaryOf(scenarioOf(c, e.Invocation))
	if _, has := e.Values[m.Name]; !has || m.Sample() != results.SampleCall || m.Unit != "ns" {
		return ""
	}
	return m.Name
}

// waits holds, per invocation, the shares of time that calls waited for each earlier program and
// for the host; nil if some invocation does not record it.
type waits map[*Invocation]map[string]float64

func waitsOf(es []*Invocation) waits {
	all, sessions := waits{}, sessionsOf(es)
	for _, e := range es {
		w := e.Waited
		if w == nil || !(w.ThreadsNS > w.CompilersNS) {
			return nil
		}
		whole := w.ThreadsNS - w.CompilersNS // there are no compilers in the window
		shares, ran := map[string]float64{host: w.StealNS / whole}, 0.0
		for _, p := range w.Programs {
			ran += p.RunNS
		}
		for _, p := range w.Programs {
			if ran > 0 {
				shares[sessions[p.Session]] += w.ForeignNS / whole * p.RunNS / ran
			}
		}
		all[e] = shares
	}
	return all
}

// sessionsOf names the sessions of programs: each run in a session may be another program.
func sessionsOf(es []*Invocation) map[int]string {
	names := map[int]string{}
	for _, e := range es {
		if e.Waited == nil {
			continue
		}
		for _, p := range e.Waited.Programs {
			if names[p.Session] == "" {
				names[p.Session] = fmt.Sprintf("%s, session %d", p.Name, p.Session)
			}
		}
	}
	return names
}

// kept returns the programs that go with a variant of the level, and whether there are too few
// blocks to decide: then it returns all.
func (all waits) kept(c *results.Campaign, es []*Invocation) (kept map[string]bool, few bool) {
	kept = map[string]bool{}
	byCell := map[string][]*Invocation{}
	for _, e := range es {
		byCell[e.Cell] = append(byCell[e.Cell], e)
	}
	names := map[string]bool{}
	for _, shares := range all {
		for name := range shares {
			names[name] = true
		}
	}
	for id, of := range byCell {
		cell := c.Cell(id)
		if cell.Baseline == "" || cell.Role == results.RoleAA {
			continue
		}
		pairs := map[string]Pairs{}
		for name := range names {
			share := func(e *Invocation) float64 { return all[e][name] }
			ps := PairsOf(ValuesOf(of, share), ValuesOf(byCell[cell.Baseline], share))
			few = few || len(ps.Blocks) < keptPairs
			if mean, err := stats.Mean(ps.X); err == nil && mean > keptLeast { // else it can't exceed keptLeast
				pairs[name] = ps
			}
		}
		for name, ps := range pairs {
			if goesWith(ps, keptAlpha/float64(len(pairs))) {
				kept[name] = true
			}
		}
	}
	if few {
		kept = names
	}
	return kept, few
}

// goesWith reports whether X is significantly larger than Y at level alpha.
func goesWith(ps Pairs, alpha float64) bool {
	excess := make([]float64, len(ps.X))
	for i, x := range ps.X {
		excess[i] = x - (1+keptMargin)*ps.Y[i] - keptLeast
	}
	s, err := stats.SampleOf(excess)
	if err != nil || s.Mean <= 0 || s.SD == 0 {
		return err == nil && s.Mean > 0
	}
	return stats.TTail(s.Mean/s.SD*math.Sqrt(float64(s.N)), float64(s.N-1)) < alpha
}

// of returns the waiting of a cell's invocations.
func (all waits) of(es []*Invocation, kept map[string]bool, few bool) *Waiting {
	w := &Waiting{Told: all != nil, Few: few}
	mean := func(figure func(*Invocation) float64) float64 {
		x, _ := stats.Mean(results.Each(es, figure)) // no error: never empty
		return x
	}
	w.Delay = mean(func(e *Invocation) float64 {
		if threads := e.threadsNS(); threads > 0 {
			return e.Scalars[runDelay] / threads
		}
		return 0
	})
	if !w.Told {
		return w
	}
	share := func(part func(*results.Waited) float64) float64 {
		return mean(func(e *Invocation) float64 { return part(e.Waited) / (e.Waited.ThreadsNS - e.Waited.CompilersNS) })
	}
	w.Foreign = share(func(w *results.Waited) float64 { return w.ForeignNS })
	w.Others = share(func(w *results.Waited) float64 { return w.OthersNS })
	w.Own = share(func(w *results.Waited) float64 { return w.OwnNS })
	w.Steal = share(func(w *results.Waited) float64 { return w.StealNS })
	w.doubt = share(func(w *results.Waited) float64 { return w.DoubtNS })
	w.Taken = mean(func(e *Invocation) float64 { return all.taken(e, kept) })
	w.KeptShare = w.Foreign + w.Steal - w.Taken
	w.Kept, w.Names = all.named(es, kept)
	return w
}

// threadsNS returns the length of the loop times the number of measuring threads.
func (e *Invocation) threadsNS() float64 {
	if e.Waited != nil {
		return e.Waited.ThreadsNS
	}
	threads := 1
	for _, s := range e.Series {
		threads = max(threads, s.Thread+1)
	}
	return e.Scalars[loopLength] * float64(threads)
}

// loopLength is the scalar of the wall time of the timed loop.
const loopLength = "loop_ns"

// taken returns the share of an invocation's time that its calls waited for programs that go with
// no variant.
func (all waits) taken(e *Invocation, kept map[string]bool) float64 {
	sum := 0.0
	for name, share := range all[e] {
		if !kept[name] {
			sum += share
		}
	}
	return sum
}

// Limits on the named programs: their number, and the least share.
const (
	namedWaits = 3
	worthANote = 0.002
)

// named returns the programs that the invocations waited for most, kept ones and subtracted ones.
func (all waits) named(es []*Invocation, kept map[string]bool) (stay, out []string) {
	sums := map[string]float64{}
	for _, e := range es {
		for name, share := range all[e] {
			sums[name] += share / float64(len(es))
		}
	}
	names := slices.SortedFunc(func(yield func(string) bool) {
		for name, sum := range sums {
			if sum >= worthANote && !yield(name) {
				return
			}
		}
	}, func(a, b string) int {
		if sums[a] != sums[b] {
			return int(math.Copysign(1, sums[b]-sums[a]))
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		if kept[name] {
			stay = append(stay, name)
		} else {
			out = append(out, name)
		}
	}
	return stay[:min(len(stay), namedWaits)], out[:min(len(out), namedWaits)]
}

// settle decides whether the mean can be given.
func (w *Waiting) settle(takes bool) {
	switch {
	case w.Few && w.KeptShare > mostDoubt:
		const few = "its calls waited %.0f %% of their time for other programs (%s), " +
			"and fewer than %d blocks can't show that it did not cause this: make more"
		w.Refused = fmt.Sprintf(few, 100*w.KeptShare, strings.Join(w.Kept, "; "), keptPairs)
	case !takes:
		w.Taken, w.Names = 0, nil
	case w.Taken > mostWaiting:
		const most = "its calls waited %.0f %% of their time for other programs (%s): " +
			"more than 35 %% can't be taken out"
		w.Refused = fmt.Sprintf(most, 100*w.Taken, strings.Join(w.Names, "; "))
	case w.doubt > mostDoubt:
		const unknown = "other programs (%s) took the CPU, " +
			"and whether its threads slept or waited is not known for %.0f %% of their time"
		w.Refused = fmt.Sprintf(unknown, strings.Join(w.Names, "; "), 100*w.doubt)
	}
	if w.Refused != "" {
		w.Refused += "; end them, give the JVM CPUs of its own (pin in [machine]), " +
			"or read p50 and CPU, which hardly depend on it"
	}
}

// take corrects the mean of the calls, or drops it.
func (e *Invocation) take(metric string, all waits, kept map[string]bool, takes bool) {
	switch {
	case e.Waiting.Refused == "" && !takes:
	case e.Waiting.Refused != "":
		delete(e.Values, metric)
		delete(e.Batches, metric)
		e.Samples.Other, e.Reference, e.Unadjusted, e.adjusted = math.NaN(), 0, 0, ""
	default:
		e.WaitedShare = all.taken(e, kept)
		left := 1 - e.WaitedShare
		e.Values[metric] *= left
		e.Samples.Other *= left
		e.Unadjusted *= left
	}
}

// Package saturation says how records, calls and CPU time respond to rising call rates, and which rate a cell sustains.
package saturation

import (
	"fmt"
	"math"
	"slices"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Curve says how a cell responds to rising call rates.
type Curve struct {
	Cell    string `json:"cell"`    // ID
	Label   string `json:"label"`   // variant with its factor level
	Variant string `json:"variant"` // variant
	// Rates are the call rates that every JVM was asked for, rising.
	Rates []Rate `json:"rates"`
	// Knee is the highest rate that a JVM sustains; absent if no JVM shows it.
	Knee *Knee  `json:"knee,omitempty"`
	Text string `json:"text"` // in words
	// Caveats limit the knee.
	Caveats []string `json:"caveats,omitempty"`
}

// Curves has the curve of each cell of a scenario.
type Curves []Curve

// Rate describes one rate of the curve, over JVMs.
type Rate struct {
	Asked   int64           `json:"asked"`   // calls per second that were asked for
	Offered *infer.Estimate `json:"offered"` // calls per second that were really made
	// Share is the share of these calls' records that was delivered; absent if they were not counted.
	Share *infer.Estimate `json:"share,omitempty"`
	// Call is the time of a call from its start, in ns; FromDue counts from the time it was due, and so
	// includes waiting for earlier calls, and the waking of the thread.
	Call    *infer.Estimate `json:"call_ns"`
	FromDue *infer.Estimate `json:"from_due_ns"`
	// CPU is the CPU time of the whole process per call, in ns, until its records had arrived.
	CPU *infer.Estimate `json:"cpu_ns,omitempty"`
	// CallMore and CPUMore are the differences from the baseline at the same rate, within blocks; absent for a
	// baseline.
	CallMore *infer.Estimate `json:"call_more_ns,omitempty"`
	CPUMore  *infer.Estimate `json:"cpu_more_ns,omitempty"`
}

// Knee is the highest rate at which a JVM makes at least 99 % of the calls and delivers at least 99 %
// of their records: the median over JVMs. Each JVM bounds it by a rate that it sustained and one that it did
// not. An unbounded side is absent.
type Knee struct {
	JVMs  int      `json:"jvms"`            // with a bound
	Value *float64 `json:"value,omitempty"` // calls per second; absent if either median is open
	// Above and Below are the medians of the rates that were sustained, and of those that were not.
	Above *float64 `json:"above,omitempty"`
	Below *float64 `json:"below,omitempty"`
	// Low and High are the ends of the interval, Level its level. With fewer than six JVMs Level is 0, and Low
	// and High are the extremes over all JVMs.
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	Level float64  `json:"level"`
	// Lost and Slowed count the JVMs that sustained no more because records were lost, or because calls came
	// too late to be made.
	Lost   int `json:"lost"`
	Slowed int `json:"slowed"`
}

// Of answers for every cell whose invocations made calls at set rates.
func Of(r *reading.Reading) Curves {
	var all Curves
	for _, c := range r.Cells {
		es := rated(r, c.ID)
		if r.Invalid[c.ID] != "" || c.Role == results.RoleAA || len(es) == 0 {
			continue
		}
		s := Curve{Cell: c.ID, Label: c.Label(), Variant: c.Variant, Knee: kneeOf(es)}
		for _, rate := range ratesOf(es) {
			s.Rates = append(s.Rates, atRate(r, c, rate))
		}
		s.caveats(c, es)
		all = append(all, s)
	}
	for i := range all {
		all[i].Text = all[i].words()
		all[i].fixtures(r.Campaign, all)
	}
	return all
}

// rated returns the invocations of a cell that made calls at set rates.
func rated(r *reading.Reading, cell string) []*evidence.Invocation {
	return evidence.Select(r.Primaries(cell), func(e *evidence.Invocation) bool { return len(e.Rated) > 0 })
}

// ratesOf returns the rates of the curve, rising.
func ratesOf(es []*evidence.Invocation) []int64 {
	var rates []int64
	for _, e := range es {
		for _, w := range e.Rated {
			if w.Searched == 0 {
				rates = append(rates, w.Asked)
			}
		}
	}
	slices.Sort(rates)
	return slices.Compact(rates)
}

// atRate describes a cell at one rate.
func atRate(r *reading.Reading, c *results.Cell, asked int64) Rate {
	values := func(cell string, figure func(results.Rated) float64) evidence.Values {
		return evidence.ValuesOf(rated(r, cell), func(e *evidence.Invocation) float64 {
			w := results.Find(e.Rated, func(w *results.Rated) bool { return w.Asked == asked && w.Searched == 0 })
			if w == nil {
				return math.NaN()
			}
			return figure(*w)
		})
	}
	mean := func(figure func(results.Rated) float64) *infer.Estimate {
		e, _ := infer.MeanOf(reading.SampleOf(values(c.ID, figure)), reading.Confidence, !r.Unordered())
		return e
	}
	more := func(figure func(results.Rated) float64) *infer.Estimate {
		if c.Role != results.RoleVariant {
			return nil
		}
		return r.Ask(infer.Question{Alpha: reading.Alpha, Family: 1}, values(c.ID, figure),
			values(c.Baseline, figure), 0).Difference
	}
	share := mean(shareOf)
	if share != nil && share.Interval != nil { // no share lies outside
		share.Interval.Low, share.Interval.High = max(0, share.Interval.Low), min(1, share.Interval.High)
	}
	return Rate{
		Asked: asked, Offered: mean(results.Rated.Offered), Share: share,
		Call: mean(callOf), FromDue: mean(fromDueOf), CPU: mean(cpuOf),
		CallMore: more(callOf), CPUMore: more(cpuOf),
	}
}

// callOf and its like are figures of a window per call; NaN if unknown. More records than were made stem from
// the window before.
func callOf(w results.Rated) float64 { return float64(w.BusyNS) / float64(w.Calls) }

func fromDueOf(w results.Rated) float64 { return float64(w.BusyNS+w.LateNS) / float64(w.Calls) }

func cpuOf(w results.Rated) float64 {
	if w.CPUNS < 0 {
		return math.NaN()
	}
	return float64(w.CPUNS) / float64(w.Calls)
}

func shareOf(w results.Rated) float64 {
	if !w.Counted() {
		return math.NaN()
	}
	return min(1, float64(w.Delivered)/float64(w.Made))
}

// kneeOf is the median over the knees of JVMs; nil without any.
func kneeOf(es []*evidence.Invocation) *Knee {
	var lows, highs []float64
	k := &Knee{}
	for _, e := range es {
		borne, refused := results.Knee(e.Rated)
		low, high := 0.0, math.Inf(1)
		if borne != nil {
			low = borne.Offered()
		}
		if refused != nil {
			// The asked rate is the bound if not even that many calls came about.
			if high = refused.Offered(); refused.Outcome() == results.RateSlowed {
				high, k.Slowed = float64(refused.Asked), k.Slowed+1
			} else {
				k.Lost++
			}
		}
		lows, highs = append(lows, low), append(highs, max(low, high))
	}
	b, err := stats.MedianBetween(lows, highs, reading.Confidence)
	if b.N == 0 {
		return nil
	}
	known := func(x float64) *float64 {
		if !(x > 0) || math.IsInf(x, 1) {
			return nil
		}
		return &x
	}
	k.JVMs, k.Value, k.Above, k.Below = b.N, known(b.Value), known(b.Low), known(b.High)
	k.Low, k.High = known(b.Interval.Low), known(b.Interval.High)
	if err == nil {
		k.Level = b.Interval.Level
	}
	return k
}

// perSecond formats a rate, to three digits.
func perSecond(x float64) string {
	digit := math.Pow(10, math.Floor(math.Log10(x))-2)
	if digit >= 1 {
		x = math.Round(x/digit) * digit
	}
	return figure.Count(int64(math.Round(x)))
}

// interval formats the knee's interval, such as 21,000 … 25,100, or above 99,000.
func (k *Knee) interval() string {
	switch {
	case k.Low != nil && k.High != nil:
		return perSecond(*k.Low) + " … " + perSecond(*k.High)
	case k.Low != nil:
		return "above " + perSecond(*k.Low)
	case k.High != nil:
		return "below " + perSecond(*k.High)
	}
	return "nothing bounds it"
}

// figure formats the knee: 23,400, or above or below the rates that were tried.
func (k *Knee) figure() string {
	switch {
	case k.Value != nil:
		return perSecond(*k.Value)
	case k.Above != nil:
		return "above " + perSecond(*k.Above)
	case k.Below != nil:
		return "below " + perSecond(*k.Below)
	}
	return "–"
}

// why says what limits the cell above the knee.
func (k *Knee) why() string {
	why := "calls take too long for the rate, and no record is lost"
	switch {
	case k.Lost > 0 && k.Slowed > 0:
		why = fmt.Sprintf("records are lost (%s) or calls take too long for the rate (%d)",
			figure.Plural(k.Lost, "JVM", "JVMs"), k.Slowed)
	case k.Lost > 0:
		why = "records are lost"
	case k.Slowed == 0:
		return "no rate that was tried is too high"
	}
	if k.Below == nil { // most JVMs sustain every rate
		return fmt.Sprintf("no rate that was tried is too high, but in %d of %d JVMs: there %s",
			k.Lost+k.Slowed, k.JVMs, why)
	}
	return "above it, " + why
}

// words says which rate the cell sustains.
func (s *Curve) words() string {
	k := s.Knee
	if k == nil {
		return "no JVM shows which rate it sustains"
	}
	interval := fmt.Sprintf("(%s; %s over %s)", k.interval(), figure.Level(k.Level), figure.Plural(k.JVMs, "JVM", "JVMs"))
	if k.Level == 0 {
		interval = fmt.Sprintf("(%s over all of %s; an interval needs six)",
			k.interval(), figure.Plural(k.JVMs, "JVM", "JVMs"))
	}
	return "sustains " + k.figure() + " calls per second " + interval + ": " + k.why()
}

// caveats adds what the windows don't show.
func (s *Curve) caveats(c *results.Cell, es []*evidence.Invocation) {
	counted := slices.ContainsFunc(es, func(e *evidence.Invocation) bool {
		return slices.ContainsFunc(e.Rated, results.Rated.Counted)
	})
	if c.Role == results.RoleVariant && !counted {
		s.Caveats = append(s.Caveats,
			"its records were not counted while it ran: whether they were delivered is not known, "+
				"only whether calls kept their rate")
	}
	later := slices.ContainsFunc(es, func(e *evidence.Invocation) bool {
		return slices.ContainsFunc(e.Rated, func(w results.Rated) bool { return w.Counted() && w.Delivered > w.Made })
	})
	if s.Knee != nil && s.Knee.Above != nil {
		for _, rate := range s.Rates {
			if later && rate.Share != nil && rate.Share.Value < results.BorneShare &&
				float64(rate.Asked) < *s.Knee.Above {
				s.Caveats = append(s.Caveats, fmt.Sprintf(
					"at %s calls per second, which is below that, %s of the records came in time: "+
						"the others wait in a buffer that is sent at intervals or once it is full, "+
						"and are counted at another rate; make drain longer, or hold", figure.Count(rate.Asked),
					figure.Percent(rate.Share.Value)))
			}
		}
		return
	}
	if s.Knee == nil || s.Knee.Lost == 0 {
		return
	}
	s.Caveats = append(s.Caveats,
		"not even the lowest rate was sustained: set lowest lower, or make drain "+
			"longer than the interval at which it sends")
}

// fixtures adds a caveat if the baseline sustained no more either: then the calling program is the limit, not
// an agent.
func (s *Curve) fixtures(c *results.Campaign, all Curves) {
	cell := c.Cell(s.Cell)
	b := results.Find(all, func(o *Curve) bool { return o.Cell == cell.Baseline })
	if b == nil || b.Knee == nil || s.Knee == nil || s.Knee.Slowed == 0 || b.Knee.Slowed == 0 {
		return
	}
	if b.Knee.Low != nil && s.Knee.High != nil && *b.Knee.Low <= *s.Knee.High {
		s.Caveats = append(s.Caveats, "without it, no more calls per second are made either"+
			prose.If(b.Knee.Value != nil, " (%s)", b.Knee.figure())+
			": the limit is the calling program, or the machine")
	}
}

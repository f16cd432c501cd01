package analysis

import (
	"math"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	million = 1e6
	// frequent is the rate, per million, from which an event is no event that
	// happens now and then: Poisson's law says nothing of it.
	frequent = 0.5 * million
)

// Rate is how often the event that a metric with Of counts was seen in a cell.
type Rate struct {
	Of         string  `json:"of"` // the scalar that says how often it could have been
	N          int     `json:"n"`  // invocations
	Events     int64   `json:"events"`
	Exposure   float64 `json:"exposure"`
	PerMillion float64 `json:"per_million"`
	// Interval is exact, per million; of no event it reaches from 0 to the
	// one-sided bound. Scattered says that the invocations vary more than chance
	// makes them, and that it is wider for that.
	Interval  *Interval `json:"interval,omitempty"`
	Scattered bool      `json:"scattered,omitempty"`
	// Versus compares it with the baseline's; NoVersus says why it does not.
	Versus   *Rates `json:"versus,omitempty"`
	NoVersus string `json:"no_versus,omitempty"`
}

// Rates compares the rate of one cell, A, with that of another, B. Rates and
// differences are per million.
type Rates struct {
	Of      string `json:"of"`
	A       Arm    `json:"a"`
	B       Arm    `json:"b"`
	Blocked bool   `json:"blocked"` // only invocations that share a block, of which A.N = B.N are pairs
	// Ratio is A's rate by B's, absent when B has no event. Of its bounds that at
	// 0 and the one without limit are absent.
	Ratio     *float64 `json:"ratio,omitempty"`
	RatioLow  *float64 `json:"ratio_low,omitempty"`
	RatioHigh *float64 `json:"ratio_high,omitempty"`
	// Difference is A's rate minus B's, per million.
	Difference float64   `json:"difference"`
	Interval   *Interval `json:"interval,omitempty"` // of Difference
	Level      float64   `json:"level"`              // of the intervals
	// Poisson is the p of the exact conditional test; PoissonFails says that it
	// does not hold, because the counts scatter, and is to be shown struck out.
	Poisson      *float64     `json:"poisson_p,omitempty"`
	PoissonFails bool         `json:"poisson_fails,omitempty"`
	Scatter      *RateScatter `json:"scatter,omitempty"`
	Decided      string       `json:"decided"` // which test decided, in words
	// Detectable is the smallest rate of A, per million, that such a design would
	// find four times in five.
	Detectable  *float64     `json:"detectable,omitempty"`
	Equivalence *Equivalence `json:"equivalence,omitempty"`
	Verdict     Verdict      `json:"verdict"`
	Text        string       `json:"text"`   // the verdict in words
	Detail      string       `json:"detail"` // the tests
}

// Arm is what one side of a comparison of rates has seen.
type Arm struct {
	N          int     `json:"n"` // invocations
	Events     int64   `json:"events"`
	Exposure   float64 `json:"exposure"`
	PerMillion float64 `json:"per_million"`
}

// RateScatter tests whether counts vary within the cells as chance makes them.
// The tests after P are there when they do not.
type RateScatter struct {
	Chi2       float64  `json:"chi2"`
	DF         float64  `json:"df"`
	P          float64  `json:"p"`
	Dispersion *float64 `json:"dispersion,omitempty"` // variance by mean
	F          *float64 `json:"f,omitempty"`          // quasi-Poisson, on 1 and DF
	PQuasi     *float64 `json:"p_quasi,omitempty"`
	PPermuted  *float64 `json:"p_permuted,omitempty"` // signs flipped within blocks; of no blocks, splits of the invocations
	Exact      bool     `json:"exact,omitempty"`      // no arrangement was left out
}

// counted is the count of one invocation.
type counted struct {
	block    int
	events   int64
	exposure float64
}

// counts are those of a metric with Of in a cell. What is no count (below 0,
// broken, not whole, beyond 2^40, out of nothing) is left out.
func (r *reader) counts(cell string, m results.Metric) []counted {
	var all []counted
	for _, e := range succeeded(r.all[cell], profile(m)) {
		k, ok := e.values[m.Name]
		s, known := e.Scalars[m.Of]
		if ok && known && k >= 0 && k <= 1<<40 && k == math.Trunc(k) && s > 0 && finite(s) {
			all = append(all, counted{e.Block, int64(k), s})
		}
	}
	return all
}

func runsOf(cs []counted) stats.EventRuns {
	var r stats.EventRuns
	for _, c := range cs {
		r.Events, r.Exposure = append(r.Events, c.events), append(r.Exposure, c.exposure)
	}
	return r
}

func armOf(cs []counted) Arm {
	a := Arm{N: len(cs)}
	a.Events, a.Exposure = runsOf(cs).Total()
	a.PerMillion = float64(a.Events) / a.Exposure * million
	return a
}

const noCounts = "no invocation counted it"

// rate is that of a metric in a cell, against its baseline at the given level.
func (r *reader) rate(c *results.Cell, m results.Metric, level float64) (*Rate, string) {
	cs := r.counts(c.ID, m)
	if len(cs) == 0 {
		return nil, noCounts
	}
	arm := armOf(cs)
	i, scattered, err := rateInterval(cs, confidence)
	if i.High > million && float64(arm.Events) <= arm.Exposure {
		i.High = million // of all there are
	}
	if err != nil || finiteAll(arm.PerMillion, arm.Exposure, i.Low, i.High) != nil {
		return nil, infer.Reason(stats.ErrNotFinite)
	}
	a := &Rate{Of: m.Of, N: arm.N, Events: arm.Events, Exposure: arm.Exposure, PerMillion: arm.PerMillion, Scattered: scattered, Interval: &Interval{Low: i.Low, High: i.High, Level: i.Level}}
	if c.Baseline == "" {
		return a, ""
	}
	base := r.campaign.Cell(c.Baseline)
	if base == nil {
		a.NoVersus = "its baseline is not in the campaign"
		return a, ""
	}
	q := rateQuestion{a: c, b: base, metric: m, level: level, claimed: confidence, alternative: stats.TwoSided, together: level > confidence}
	a.Versus, a.NoVersus = r.compareRates(q)
	return a, ""
}

// rateInterval is the interval of one cell's rate, per million, wider where its
// invocations scatter.
func rateInterval(cs []counted, level float64) (i stats.Interval, scattered bool, err error) {
	runs := runsOf(cs)
	k, s := runs.Total()
	chi2, df, p, untold := stats.Dispersion(runs.Events, runs.Exposure, make([]int, len(cs)))
	if scattered = untold == nil && p < stats.ScatterAlpha; scattered {
		i, err = stats.ScatteredRateInterval(k, s, max(1, chi2/df), df, level)
	} else {
		i, err = stats.RateInterval(k, s, level)
	}
	return perMillion(i), scattered, err
}

func perMillion(i stats.Interval) stats.Interval {
	return stats.Interval{Low: i.Low * million, High: i.High * million, Level: i.Level}
}

// rateQuestion is what is asked about the rates of two cells.
type rateQuestion struct {
	a, b        *results.Cell
	metric      results.Metric
	level       float64 // of the two-sided intervals
	claimed     float64 // the level at which those of the family hold together
	alternative stats.Alternative
	margin      *results.Margin
	alpha       float64 // of the margin's two one-sided tests
	together    bool    // the interval is simultaneous with others
}

// compareRates compares two cells, block by block where there are blocks.
func (r *reader) compareRates(q rateQuestion) (*Rates, string) {
	a, b := r.counts(q.a.ID, q.metric), r.counts(q.b.ID, q.metric)
	if len(a) == 0 || len(b) == 0 {
		return nil, noCounts + ", in it or in what it is compared with"
	}
	if !r.unordered() {
		if a, b = shared(a, b), shared(b, a); len(a) == 0 {
			return nil, "no block holds both"
		}
	}
	if armOf(a).PerMillion > frequent && armOf(b).PerMillion > frequent {
		return nil, "more than half of all are, on both sides: the tests are for events that are rare; compare what is not"
	}
	x := &Rates{Of: q.metric.Of, A: armOf(a), B: armOf(b), Blocked: !r.unordered(), Level: q.level, Verdict: VerdictUndecided}
	x.Difference = x.A.PerMillion - x.B.PerMillion
	c := rateArms{q: q, a: runsOf(a), b: runsOf(b), blocked: x.Blocked}
	if err := c.compare(x); err != nil {
		return nil, infer.Reason(err)
	}
	if finiteAll(x.A.PerMillion, x.B.PerMillion, x.A.Exposure, x.B.Exposure, x.Difference) != nil {
		return nil, infer.Reason(stats.ErrNotFinite)
	}
	x.words(q)
	return x, ""
}

// shared are the counts of the blocks that the others have too, in their order.
func shared(cs, others []counted) []counted {
	blocks := map[int]bool{}
	for _, o := range others {
		blocks[o.block] = true
	}
	some := slices.DeleteFunc(slices.Clone(cs), func(c counted) bool { return !blocks[c.block] })
	slices.SortFunc(some, func(x, y counted) int { return x.block - y.block })
	return slices.CompactFunc(some, func(x, y counted) bool { return x.block == y.block })
}

// settleRates answers a question about a metric with Of.
func (r *reader) settleRates(a *Answer, q results.Question, m results.Metric) {
	alpha := a.Alpha / float64(a.FamilySize)
	asked := rateQuestion{
		a: r.campaign.Cell(a.A), b: r.campaign.Cell(a.B), metric: m, level: 1 - alpha, claimed: 1 - a.Alpha,
		alternative: stats.TwoSided, margin: q.Margin, alpha: alpha, together: a.FamilySize > 1,
	}
	if alt, err := stats.ParseAlternative(q.Alternative); q.Alternative != "" && err == nil && alt != stats.TwoSided && alpha < 0.5 {
		asked.alternative, asked.level, asked.claimed = alt, 1-2*alpha, 1-2*a.Alpha
	}
	var why string
	if a.Rates, why = r.compareRates(asked); a.Rates == nil {
		a.Sentence = "no answer: " + why
		return
	}
	a.Verdict, a.Sentence, a.Detail = a.Rates.Verdict, a.Rates.Text, a.Rates.Detail
}

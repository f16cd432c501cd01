package analysis

import (
	"math"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	million = infer.Million
	// frequent is the rate, per million, from which an event is no event that
	// happens now and then: Poisson's law says nothing of it.
	frequent = 0.5 * million
)

// Rate is how often the event that a metric with Of counts was seen in a cell.
type Rate struct {
	Of         string  `json:"of"`          // the scalar that says how often it could have been
	N          int     `json:"n"`           // invocations
	Events     int64   `json:"events"`      // how often it was
	Exposure   float64 `json:"exposure"`    // how often it could have been
	PerMillion float64 `json:"per_million"` // events per million chances
	// Interval is exact, per million; of no event it reaches from 0 to the
	// one-sided bound.
	Interval *Interval `json:"interval,omitempty"`
	// Scattered says that the invocations vary more than chance makes them, and that
	// Interval is wider for that.
	Scattered bool `json:"scattered,omitempty"`
	// Versus compares it with the baseline's.
	Versus   *Rates `json:"versus,omitempty"`
	NoVersus string `json:"no_versus,omitempty"` // why it is not compared
}

// Rates compares the rate of one cell, A, with that of another, B. Rates and
// differences are per million.
type Rates struct {
	Of      string `json:"of"`      // the scalar that says how often the event could have been
	A       Arm    `json:"a"`       // one cell
	B       Arm    `json:"b"`       // the other one
	Blocked bool   `json:"blocked"` // whether only invocations that share a block count; the n of both are then pairs
	// Ratio is the first rate by the second one, absent when the second has no event.
	Ratio *float64 `json:"ratio,omitempty"`
	// RatioLow and RatioHigh are its bounds, absent at 0 and without limit.
	RatioLow  *float64 `json:"ratio_low,omitempty"`
	RatioHigh *float64 `json:"ratio_high,omitempty"`
	// Difference is the first rate minus the second one, per million.
	Difference float64   `json:"difference"`
	Interval   *Interval `json:"interval,omitempty"`    // of Difference
	NoInterval string    `json:"no_interval,omitempty"` // why there is none
	Level      float64   `json:"level"`                 // of the intervals
	// Poisson is the p of the exact conditional test.
	Poisson *float64 `json:"poisson_p,omitempty"`
	// PoissonFails says that Poisson does not hold, because the counts scatter, and is
	// to be shown struck out.
	PoissonFails bool `json:"poisson_fails,omitempty"`
	// Scatter tests whether counts vary within the cells as chance makes them.
	Scatter *RateScatter `json:"scatter,omitempty"`
	Decided string       `json:"decided"` // which test decided, in words
	// Detectable is the smallest first rate, per million, that such a design would
	// find with 80 % power, absent where no rate is so high.
	Detectable *float64 `json:"detectable,omitempty"`
	// Equivalence is about the margin; absent without one.
	Equivalence *Equivalence `json:"equivalence,omitempty"`
	Verdict     Verdict      `json:"verdict"` // as of answers
	// Caveats limit the answer.
	Caveats []infer.Caveat `json:"caveats,omitempty"`
	Text    Sentence       `json:"text"`   // the verdict in words
	Detail  string         `json:"detail"` // the tests
}

// What inference hands on of counts.
type (
	Arm         = infer.Arm
	RateScatter = infer.RateScatter
)

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
		if ok && known && k >= 0 && k <= 1<<40 && k == math.Trunc(k) && s > 0 && stats.Finite(s) {
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

func armOf(cs []counted) Arm { return infer.ArmOf(runsOf(cs)) }

const noCounts = "no invocation counted it"

// rate is that of a metric in a cell, against its baseline in a family of so many.
func (r *reader) rate(c *results.Cell, m results.Metric, family int) (*Rate, string) {
	cs := r.counts(c.ID, m)
	if len(cs) == 0 {
		return nil, noCounts
	}
	arm := armOf(cs)
	i, scattered, err := rateInterval(cs, confidence)
	if i.High > million && float64(arm.Events) <= arm.Exposure {
		i.High = million // of all there are
	}
	if err != nil || !stats.Finite(arm.PerMillion, arm.Exposure, i.Low, i.High) {
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
	a.Versus, a.NoVersus = r.compareRates(rateQuestion{infer.Question{Alpha: alpha, Family: family}, c, base, m})
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
	infer.Question
	a, b   *results.Cell
	metric results.Metric
}

// together says whether the interval is simultaneous with others.
func (q rateQuestion) together() bool { return q.Family > 1 }

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
	of, err := infer.CompareRates(q.Question, infer.Counts{A: runsOf(a), B: runsOf(b), Blocked: !r.unordered()})
	if err != nil {
		return nil, infer.Reason(err)
	}
	x := ratesOf(of)
	x.Of, x.Blocked = q.metric.Of, !r.unordered()
	if q.metric.Better == results.Higher {
		x.Detectable = nil
	}
	x.words(q, of)
	return x, ""
}

// ratesOf takes down what inference says.
func ratesOf(of *infer.Rates) *Rates {
	x := &Rates{
		A: of.A, B: of.B, Ratio: bound(of.Ratio), Difference: of.Difference, Interval: of.Interval, NoInterval: of.NoInterval, Level: of.Question.Level(),
		Poisson: of.Poisson, PoissonFails: of.Scattered, Scatter: of.Scatter, Decided: decidedBy(of),
		Detectable: of.Detectable, Equivalence: of.Equivalence, Verdict: of.Verdict, Caveats: of.Caveats,
	}
	if i := of.RatioInterval; i != nil {
		x.RatioLow, x.RatioHigh = bound(i.Low), bound(i.High)
	}
	return x
}

func bound(v float64) *float64 {
	if !stats.Finite(v) {
		return nil
	}
	return &v
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
	asked := rateQuestion{
		infer.Question{Alpha: a.Alpha, Family: a.FamilySize, Margin: q.Margin}, r.campaign.Cell(a.A), r.campaign.Cell(a.B), m,
	}
	if alt, err := stats.ParseAlternative(q.Alternative); err == nil {
		asked.Alternative = alt
	}
	var why string
	if a.Rates, why = r.compareRates(asked); a.Rates == nil {
		a.Sentence = noAnswer(why)
		return
	}
	a.Verdict, a.Sentence, a.Detail = a.Rates.Verdict, a.Rates.Text, a.Rates.Detail
}

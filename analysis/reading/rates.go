package reading

import (
	"math"
	"slices"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// frequent is the rate, per million, from which an event is not rare: Poisson's law no longer describes it.
const frequent = 0.5 * infer.Million

// Rate is the rate of an event in a cell, counted by a metric with Of.
type Rate struct {
	Of string `json:"exposure_scalar"` // scalar that counts the exposure: requests
	infer.Arm
	// Interval is exact, per million: Clopper and Pearson's if the exposure counts trials, else Garwood's.
	Interval *infer.Interval `json:"interval,omitempty"`
	// Scattered says that the invocations vary more than by chance, and that Interval is wider for it.
	Scattered bool `json:"overdispersed,omitempty"`
	// Versus compares the rate with the baseline's.
	Versus   *Rates `json:"versus,omitempty"`
	NoVersus string `json:"no_versus,omitempty"` // why it is not compared
}

// Rates compares the rate of cell A with that of cell B. Rates and differences are per million.
type Rates struct {
	Of string `json:"exposure_scalar"` // scalar that counts the exposure: requests
	infer.Rates
	Text   prose.Sentence `json:"text"`   // the verdict in words
	Detail string         `json:"detail"` // the tests
}

// Counts are the counts of invocations, with their blocks.
type Counts struct {
	blocks []int
	stats.EventRuns
}

func (cs *Counts) add(block int, events int64, exposure float64) {
	cs.blocks = append(cs.blocks, block)
	cs.Events = append(cs.Events, events)
	cs.Exposure = append(cs.Exposure, exposure)
}

// Counts reads the counts of a metric with Of in a cell. Values that are no counts (below 0, broken, not whole,
// beyond 2^40, without exposure) are left out.
func (r *Reading) Counts(cell string, m results.Metric) (all Counts) {
	for _, e := range r.Succeeded(cell, evidence.ProfileOf(m)) {
		k, s := e.Value(m.Name), e.Scalar(m.Of)
		if k >= 0 && k <= 1<<40 && k == math.Trunc(k) && s > 0 && stats.Finite(s) {
			all.add(e.Block, int64(k), s)
		}
	}
	return all
}

const noCounts = "no invocation counted it"

// Rate estimates the rate of a metric in a cell, and compares it with the baseline's, as one of a family of
// comparisons.
func (r *Reading) Rate(c *results.Cell, m results.Metric, family int) (*Rate, string) {
	runs := r.Counts(c.ID, m)
	if len(runs.blocks) == 0 {
		return nil, noCounts
	}
	a := &Rate{Of: m.Of, Arm: infer.ArmOf(runs.EventRuns)}
	i, scattered, err := infer.IntervalOf(runs.EventRuns, Confidence)
	if err != nil {
		return nil, infer.Reason(stats.ErrNotFinite)
	}
	a.Interval, a.Scattered = &i, scattered
	switch base := r.Campaign.Cell(c.Baseline); {
	case c.Baseline == "":
	case base == nil:
		a.NoVersus = "its baseline is not in the campaign"
	default:
		a.Versus, a.NoVersus = r.CompareRates(infer.Question{Alpha: Alpha, Family: family}, c, base, m)
	}
	return a, ""
}

// CompareRates compares two cells, block by block where there are blocks.
func (r *Reading) CompareRates(q infer.Question, ca, cb *results.Cell, m results.Metric) (*Rates, string) {
	a, b := r.Counts(ca.ID, m), r.Counts(cb.ID, m)
	if len(a.blocks) == 0 || len(b.blocks) == 0 {
		return nil, noCounts + ", in it or in what it is compared with"
	}
	if !r.Unordered() {
		if a, b = shared(a, b), shared(b, a); len(a.blocks) == 0 {
			return nil, "no block holds both"
		}
	}
	data := infer.Counts{A: a.EventRuns, B: b.EventRuns, Blocked: !r.Unordered()}
	if infer.ArmOf(data.A).PerMillion > frequent && infer.ArmOf(data.B).PerMillion > frequent {
		return nil,
			"more than half of all are, on both sides: the tests are for " +
				"events that are rare; compare what is not"
	}
	found, err := infer.CompareRates(q, data)
	if err != nil {
		return nil, infer.Reason(err)
	}
	if m.Better == results.Higher {
		found.Detectable = nil
	}
	words := prose.Rates{
		Rates:  found,
		First:  ca.Label(),
		Second: cb.Label(),
		Events: prose.Spaced(m.Name),
		Of:     prose.Spaced(m.Of),
	}
	return &Rates{Of: m.Of, Rates: *found, Text: words.Sentence(), Detail: words.Detail()}, ""
}

// shared returns the counts of the blocks that others has too, ordered by block.
func shared(cs, others Counts) (some Counts) {
	for _, block := range slices.Compact(slices.Sorted(slices.Values(cs.blocks))) {
		if i := slices.Index(cs.blocks, block); slices.Contains(others.blocks, block) {
			some.add(block, cs.Events[i], cs.Exposure[i])
		}
	}
	return some
}

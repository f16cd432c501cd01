package replication

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
)

// The kinds of claims.
const (
	kindLess   = "less"   // A is less than B
	kindMore   = "more"   // A is more than B
	kindLinear = "linear" // A grows with the factor, linearly
	kindFlat   = "flat"   // A does not grow with it
	kindDear   = "dear"   // swapping A in, instead of asking B at each call, does not pay within so many calls
)

// nearBy is how many times larger or smaller than the paper's effect all of our
// interval may be and still be of its size, unless the claim says.
const nearBy = 2

// Claim is what a paper says, and what of our campaign decides it.
type Claim struct {
	Text     string `toml:"text" json:"text"`
	Where    string `toml:"where" json:"where,omitempty"`
	Kind     string `toml:"kind" json:"-"`
	Scenario string `toml:"scenario" json:"-"` // label
	Metric   string `toml:"metric" json:"-"`   // "" is the scenario's primary one
	A        string `toml:"a" json:"-"`        // variant, or label of a cell
	B        string `toml:"b" json:"-"`
	Note     string `toml:"note" json:"note,omitempty"`
	// Figures are the columns whose means give the size of the claim, A's and
	// B's, each divided by the figure of Per, if there is one; without them the
	// claim is one of direction. Within is how near is near; 0 is nearBy.
	Figures []string `toml:"figures" json:"-"`
	Per     []string `toml:"per" json:"-"`
	Within  float64  `toml:"within" json:"-"`
	// Factor is that of linear and flat; At the other factors, if there are
	// several, as in a Growth.
	Factor string `toml:"factor" json:"-"`
	At     string `toml:"at" json:"-"`
	// Saves and Calls are those of dear: Scenario is where the change of A was
	// timed, Saves the label of the one that has A's and B's cost per call, At
	// their level there.
	Saves string  `toml:"saves" json:"-"`
	Calls float64 `toml:"calls" json:"-"`
}

// Judged is a claim with its verdict.
type Judged struct {
	Claim
	Verdict infer.Settlement `json:"verdict"`
	// Detectable is, of what cannot be decided, what such a campaign would find.
	Detectable string `json:"detectable,omitempty"`
	Reason     string `json:"reason"`
	// Theirs and Ours are the ratios of A and B, absent when there is none.
	Theirs *float64 `json:"printed,omitempty"`
	Ours   *float64 `json:"measured,omitempty"`
	// Scale is that of the campaign, when it was shortened.
	Scale float64 `json:"scale,omitempty"`
}

func (m *mistakes) claim(p *Paper, c *Claim) {
	name := c.Text
	m.want(name != "", "a claim has no text")
	m.want(c.Scenario != "" && c.A != "", "claim %q needs a scenario and a", name)
	switch c.Kind {
	case kindLess, kindMore:
		m.want(c.B != "", "claim %q needs b", name)
	case kindLinear, kindFlat:
		m.want(c.Factor != "", "claim %q needs a factor", name)
	case kindDear:
		m.want(c.B != "" && c.Saves != "" && c.Calls > 0, "claim %q needs b, saves and calls", name)
	default:
		m.want(false, "claim %q: unknown kind %q: there are less, more, linear, flat and dear", name, c.Kind)
	}
	m.want(c.Within == 0 || c.Within >= 1, "claim %q: within = %v: it is a factor, 1 or more", name, c.Within)
	if m.want(len(c.Figures) == 0 || len(c.Figures) == 2, "claim %q: figures are two columns, a's and b's", name) {
		_, err := c.theirs(p)
		m.want(err == nil, "claim %q: %v", name, err)
	}
}

// theirs is the ratio of the printed means, nil when the claim has no size.
func (c *Claim) theirs(p *Paper) (*float64, error) {
	if len(c.Figures) == 0 {
		return nil, nil
	}
	x, err := (&Check{Kind: "ratio", Of: c.Figures, Per: c.Per}).value(p.printed)
	if err != nil {
		return nil, err
	}
	if !(x > 0) {
		return nil, fmt.Errorf("the means of %s have a ratio of %v", strings.Join(c.Figures, " and "), x)
	}
	return &x, nil
}

// judge decides a claim. One that finds no answer of ours cannot be decided.
func (c *Claim) judge(p *Paper, ours *campaign) Judged {
	j := Judged{Claim: *c, Verdict: infer.CannotDecide}
	j.Theirs, _ = c.theirs(p) // Parse has seen to it
	s, err := scenarioOf(ours.answers, c.Scenario)
	switch {
	case err != nil:
	case c.Kind == kindLinear, c.Kind == kindFlat:
		err = c.grows(&j, s)
	case c.Kind == kindDear:
		err = c.pays(&j, ours.answers)
	default:
		err = c.differs(&j, s)
	}
	if err != nil {
		j.Reason = err.Error()
	}
	return j
}

// comparison is an answer of ours about A - B.
type comparison struct {
	*analysis.Answer
	reversed bool // it is about B - A
	unit     string
}

// sign is the side of 0 that the whole interval of A - B lies on; 0 is neither.
func (c comparison) sign() int {
	sign := map[infer.Verdict]int{infer.Higher: 1, infer.Lower: -1}[c.Verdict]
	switch {
	case c.Verdict != infer.Negligible:
	case c.Rates != nil:
		sign = cmp.Compare(c.Rates.Difference, 0)
	case c.Difference != nil:
		sign = cmp.Compare(c.Difference.Value, 0)
	}
	if c.reversed {
		return -sign
	}
	return sign
}

// differs decides less and more by the answer to the question about the claim's two
// cells; one that benchmarks.toml asked goes before those that scenarios ask by themselves.
func (c *Claim) differs(j *Judged, s *analysis.Scenario) error {
	m, noMetric := metricOf(s, c.Metric)
	a, b, noCells := cellsOf(s, c.A, c.B)
	if err := cmp.Or(noMetric, noCells); err != nil {
		return err
	}
	var found comparison
	for i := range s.Answers {
		q := &s.Answers[i]
		same, reversed := q.A == a.ID && q.B == b.ID, q.A == b.ID && q.B == a.ID
		if q.Metric == m.Name && (same || reversed) && (found.Answer == nil || q.Asked && !found.Asked) {
			found = comparison{q, reversed, m.Unit}
		}
	}
	if found.Answer == nil {
		return fmt.Errorf("the campaign has no answer about %s of %s against %s", m.Name, c.A, c.B)
	}
	wanted := 1
	if c.Kind == kindLess {
		wanted = -1
	}
	j.Verdict, j.Reason = infer.CannotDecide, found.Sentence.String()
	if i := slices.IndexFunc(found.Caveats, func(v infer.Caveat) bool { return v.Kind == infer.CaveatFew }); i >= 0 {
		j.Reason += fmt.Sprintf("; from %s only, which leans on normality", figure.Plural(found.Caveats[i].N, "invocation", "invocations"))
	}
	switch sign := found.sign(); {
	case sign == wanted:
		c.size(j, found)
	case sign == -wanted, found.Verdict == infer.Equivalent:
		j.Verdict = infer.NotReproduced
	case found.Rates != nil && found.Rates.Detectable != nil:
		j.Detectable = "detectable rate " + figure.Quantity(*found.Rates.Detectable, "per million")
	default:
		j.Detectable = detectable(found.Difference, found.unit)
	}
	return nil
}

// detectable says what such a campaign would have found.
func detectable(e *analysis.Estimate, unit string) string {
	if e == nil || e.Detectable == nil {
		return "detectable effect not known"
	}
	return "detectable effect " + figure.Quantity(*e.Detectable, unit)
}

// size tells the same size from the same direction.
func (c *Claim) size(j *Judged, found comparison) {
	ratio, low, high, ok := found.ratio()
	if ok {
		j.Ours = &ratio
	}
	j.Verdict = infer.Reproduced
	if j.Theirs == nil {
		return
	}
	within := cmp.Or(c.Within, nearBy)
	if !ok || !near(low, *j.Theirs, within) || !near(high, *j.Theirs, within) {
		j.Verdict = infer.InDirection
	}
	bounds, theirs := figure.Ratio(low)+" … "+figure.Ratio(high), figure.Ratio(*j.Theirs)
	if math.IsInf(high, 1) {
		bounds = "from " + figure.Ratio(low) + " up"
	}
	j.Reason += prose.If(!ok, "; no ratio of ours stands beside theirs of %s", theirs) +
		prose.If(ok, "; ratio %s (%s), theirs %s", figure.Ratio(ratio), bounds, theirs)
}

// near says whether the effect of a ratio, by what share of the smaller one the larger
// one is larger, is at most so many times larger or smaller than that of theirs, on the
// same side of 1. Where both ends of an interval are near, all of it is: the wider it
// is, the less.
func near(ratio, theirs, within float64) bool {
	effect := func(ratio float64) float64 { return max(ratio, 1/ratio) - 1 }
	times := effect(ratio) / effect(theirs)
	return (ratio > 1) == (theirs > 1) && times <= within && 1/times <= within
}

// ratio is A over B with its interval, whose upper end may be infinite.
func (c comparison) ratio() (value, low, high float64, ok bool) {
	if x := c.Rates; x != nil {
		value, low, high = *cmp.Or(x.Ratio, new(0.0)), *cmp.Or(x.RatioLow, new(0.0)), *cmp.Or(x.RatioHigh, new(math.Inf(1)))
	} else if r := c.Ratio; r != nil && r.Interval != nil {
		value, low, high = r.Value, r.Interval.Low, r.Interval.High
	}
	if c.reversed {
		value, low, high = 1/value, 1/high, 1/low
	}
	return value, low, high, value > 0 && !math.IsInf(value, 0) && low >= 0
}

// grows decides linear and flat.
func (c *Claim) grows(j *Judged, s *analysis.Scenario) error {
	m, err := metricOf(s, c.Metric)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.Growths, func(g analysis.Growth) bool {
		return g.Factor == c.Factor && g.Metric == m.Name && g.Variant == c.A && g.At == c.At
	})
	if i < 0 {
		return fmt.Errorf("the campaign doesn't say how %s of %s grows with %s", m.Name, c.A, c.Factor)
	}
	g := s.Growths[i]
	j.Verdict, j.Reason = infer.CannotDecide, g.Text
	v := infer.VerdictOf(g.Slope, 0, stats.TwoSided, nil)
	up, down := v == infer.Higher, v == infer.Lower
	switch {
	case g.Verdict == analysis.GrowthUndecided:
	case c.Kind == kindFlat && g.Verdict == analysis.GrowthFlat, c.Kind == kindLinear && g.Verdict == analysis.GrowthLinear && up:
		j.Verdict = infer.Reproduced
	case c.Kind == kindLinear && g.Verdict != analysis.GrowthFlat && up:
		j.Verdict = infer.InDirection
	case g.Verdict == analysis.GrowthFlat || up || down:
		j.Verdict = infer.NotReproduced
	}
	if j.Verdict == infer.CannotDecide {
		j.Detectable = detectable(g.Slope, m.Unit)
		if g.Slope != nil && g.Slope.Detectable != nil {
			j.Detectable += " per " + c.Factor
		}
	}
	return nil
}

// pays decides dear by the campaign's own break-even: a swap of A that may have
// paid within so many calls refutes it only when it is shown to. Price and saving
// are of one variant, since a break-even is.
func (c *Claim) pays(j *Judged, ours *analysis.Answers) error {
	s, err := scenarioOf(ours, c.Saves)
	if err != nil {
		return err
	}
	swapped, asked, err := cellsOf(s, c.A, c.B)
	if err != nil {
		return err
	}
	found := slices.DeleteFunc(slices.Clone(ours.BreakEvens), func(x analysis.BreakEven) bool {
		return x.Swapped != swapped.Variant || x.Switchable != asked.Variant || x.SwapScenario != c.Scenario || x.CostScenario != c.Saves || c.At != "" && x.Level != c.At
	})
	switch len(found) {
	case 0:
		return fmt.Errorf("the campaign has no price of a change of %s in %s, or no cost per call beside %s in %s", swapped.Variant, c.Scenario, asked.Variant, c.Saves)
	case 1:
	default:
		return fmt.Errorf("the campaign has several break-evens of %s: say at which level", c.A)
	}
	b := found[0]
	j.Verdict, j.Reason = infer.CannotDecide, b.Text
	switch {
	case b.Verdict == analysis.PaysNever, b.Low != nil && *b.Low > c.Calls:
		j.Verdict = infer.Reproduced
	case b.High != nil && *b.High < c.Calls:
		j.Verdict = infer.NotReproduced
	case b.Verdict != analysis.PaysUndecided:
		j.Detectable = detectable(b.Saved, "ns") + " per call saved"
	}
	if b.Price != nil {
		j.Reason += "; a change costs " + figure.Quantity(b.Price.Value, "ns") + ", a call saves " + figure.Quantity(b.Saved.Value, "ns")
	}
	j.Reason += "; asked about are " + figure.Calls(c.Calls)
	return nil
}

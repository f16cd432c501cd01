package replication

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/chapter/breakeven"
	"moobench/analysis/chapter/growth"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// The kinds of claims.
const (
	kindLess        = "less"          // A is less than B
	kindMore        = "more"          // A is more than B
	kindLinear      = "linear"        // A grows with the factor, linearly
	kindFlat        = "flat"          // A does not grow with it
	kindNotPaidBack = "not-paid-back" // swapping A in, instead of asking B at each call, does not pay within Calls calls
	kindLeast       = "least"         // A is less than each of the others
	kindRatio       = "ratio"         // A over B lies between two bounds
	kindValue       = "value"         // A's own mean lies between two values
	kindNearer      = "nearer"        // A over B is below the ratio of two other cells
	kindLoses       = "loses"         // not all records of A arrive
	kindKeeps       = "keeps"         // all records of A arrive
)

// nearBy is the default factor by which our whole interval may differ from the paper's effect and still have
// its size.
const nearBy = 2

// Claim is a claim of a paper, and the part of our campaign that decides it.
type Claim struct {
	Text     string `toml:"text" json:"text"`
	Where    string `toml:"where" json:"where,omitempty"`
	Kind     string `toml:"kind" json:"-"`
	Scenario string `toml:"scenario" json:"-"` // label
	Metric   string `toml:"metric" json:"-"`   // "": the scenario's primary metric
	A        string `toml:"a" json:"-"`        // variant, or label of a cell
	B        string `toml:"b" json:"-"`
	Note     string `toml:"note" json:"note,omitempty"`
	// Own marks a claim that the paper does not make.
	Own bool `toml:"ours" json:"ours,omitempty"`
	// AnyLength says that a value stays the same in a shortened campaign, Proportional says how it grows.
	// Otherwise it is absolute, and not asked of a shortened campaign if a [[shorten]] reduces more than blocks
	// in the scenario.
	AnyLength    bool          `toml:"any_length" json:"-"`
	Proportional *Proportional `toml:"proportional" json:"-"`
	// Figures are the columns whose means give the size of the claim, A's and B's, each divided by its figure
	// of Per, if any; without them the claim is only about a direction. Within is the factor that counts as
	// near; 0: nearBy.
	Figures []string `toml:"figures" json:"-"`
	Per     []string `toml:"per" json:"-"`
	Within  float64  `toml:"within" json:"-"`
	// Factor is the factor of linear and flat; At names the other factors, if there are several, as in a
	// Growth.
	Factor string `toml:"factor" json:"-"`
	At     string `toml:"at" json:"-"`
	// Saves and Calls belong to not-paid-back: Scenario timed the change of A, Saves is the label of the
	// scenario with the cost per call of A and B, and At is their level there.
	Saves string  `toml:"saves" json:"-"`
	Calls float64 `toml:"calls" json:"-"`
	// Others are the cells that A is less than, in least.
	Others []string `toml:"others" json:"-"`
	// Between are the bounds of ratio and value, both inclusive; those of a value are in the metric's unit.
	Between []float64 `toml:"between" json:"-"`
	// Than are the two other cells of nearer, and In is their scenario if it is another one.
	Than []string `toml:"than" json:"-"`
	In   string   `toml:"in" json:"-"`
	// Absent says why the paper's campaign lacks a cell of the claim.
	Absent string `toml:"absent" json:"-"`
}

// Proportional says how a value grows with a parameter of its scenario.
type Proportional struct {
	Parameter string  `toml:"parameter"`
	Whole     float64 `toml:"whole"` // the parameter's value in the paper's experiment
	Fixed     float64 `toml:"fixed"` // the part of the claimed value that does not grow
}

// at is the claimed value for another value of the parameter.
func (p *Proportional) at(claimed, parameter float64) float64 {
	return p.Fixed + (claimed-p.Fixed)*parameter/p.Whole
}

// Judged is a claim with its verdict.
type Judged struct {
	Claim
	Verdict infer.Settlement `json:"verdict"`
	// Detectable is the effect that such a campaign would find, if the claim cannot be decided.
	Detectable string `json:"detectable,omitempty"`
	Reason     string `json:"reason"`
	// Theirs and Ours are the ratios of A to B; absent without a ratio.
	Theirs *float64 `json:"printed,omitempty"`
	Ours   *float64 `json:"measured,omitempty"`
	// Scale is the campaign's scale, if it was shortened.
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
	case kindNotPaidBack:
		m.want(c.B != "" && c.Saves != "" && c.Calls > 0, "claim %q needs b, saves and calls", name)
	case kindLeast:
		m.want(len(c.Others) > 0, "claim %q needs others", name)
	case kindRatio:
		m.want(c.B != "", "claim %q needs b", name)
		c.bounded(m, 0)
	case kindValue:
		c.bounded(m, math.Inf(-1))
	case kindNearer:
		m.want(c.B != "" && len(c.Than) == 2, "claim %q needs b, and than, two other cells", name)
	case kindLoses, kindKeeps:
	default:
		m.want(false,
			"claim %q: unknown kind %q: there are less, more, linear, flat, not-paid-back, least, ratio, "+
				"value, nearer, loses and keeps", name, c.Kind)
	}
	if x := c.Proportional; x != nil {
		m.want(c.Kind == kindValue && !c.AnyLength && x.Parameter != "" && x.Whole > 0 &&
			p.shortens(c.Scenario, x.Parameter),
			"claim %q: proportional is of a value that is of no length by itself, "+
				"and takes a parameter that [[shorten]] names, and whole, its value in the paper's experiment", name)
	}
	m.want(c.Within == 0 || c.Within >= 1, "claim %q: within = %v: it is a factor, 1 or more", name, c.Within)
	if m.want(len(c.Figures) == 0 || len(c.Figures) == 2, "claim %q: figures are two columns, a's and b's", name) {
		_, err := c.theirs(p)
		m.want(err == nil, "claim %q: %v", name, err)
	}
}

// bounded checks the two bounds of a claim, which must be larger than above.
func (c *Claim) bounded(m *mistakes, above float64) {
	m.want(len(c.Between) == 2 && c.Between[0] > above && c.Between[0] <= c.Between[1],
		"claim %q needs between, such as [2, 4]", c.Text)
}

// theirs is the ratio of the printed means; nil if the claim has no size.
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

// judge decides a claim. Without an answer of ours it cannot be decided.
func (c *Claim) judge(p *Paper, ours *campaign) Judged {
	j := Judged{Claim: *c, Verdict: infer.CannotDecide}
	j.Theirs, _ = c.theirs(p) // Parse has checked it
	s, err := scenarioOf(ours.answers, c.Scenario)
	switch {
	case err != nil:
	case c.Kind == kindValue && ours.scale != 0 && !c.AnyLength && c.Proportional == nil && p.shortens(c.Scenario, ""):
		j.Verdict = infer.NotAsked
		j.Reason = "it is about the whole length, and the campaign was shortened"
	case c.Kind == kindLinear, c.Kind == kindFlat:
		err = c.grows(&j, s)
	case c.Kind == kindNotPaidBack:
		err = c.pays(&j, ours.answers)
	case c.Kind == kindLeast:
		err = c.least(&j, s)
	case c.Kind == kindRatio:
		err = c.within(&j, s)
	case c.Kind == kindValue:
		err = c.lies(&j, s, ours)
	case c.Kind == kindNearer:
		err = c.nears(&j, s, ours.answers)
	case c.Kind == kindLoses, c.Kind == kindKeeps:
		err = c.delivers(&j, s)
	default:
		err = c.differs(&j, s)
	}
	if err != nil {
		j.Reason = c.why(err)
	}
	return j
}

// why says why a claim finds no answer.
func (c *Claim) why(err error) string {
	var missing *missingCell
	if c.Absent != "" && errors.As(err, &missing) {
		return err.Error() + ": " + c.Absent
	}
	return err.Error()
}

// comparison is our answer about A - B.
type comparison struct {
	*analysis.Answer
	reversed bool // it is about B - A
	unit     string
}

// sign is the side of 0 on which the whole interval of A - B lies; 0: neither.
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

// denies reports whether the answer to a one-sided question rules out the claim that A - B lies on the wanted
// side of 0.
func (c comparison) denies(wanted int) bool {
	asked := map[string]int{"greater": 1, "less": -1}[c.Alternative]
	if c.reversed {
		asked = -asked
	}
	return c.Verdict == infer.No && asked == wanted
}

// few says that an answer is from few invocations; "" if it is not.
func (c comparison) few() string {
	all := c.Caveats
	if c.Rates != nil {
		all = slices.Concat(all, c.Rates.Caveats)
	}
	if i := slices.IndexFunc(all, func(v infer.Caveat) bool { return v.Kind == infer.CaveatFew }); i >= 0 {
		return prose.Few(all[i].N)
	}
	return ""
}

// about finds the answer about the mean, or the rate, of the claim's metric in two cells. Questions of
// benchmarks.toml take precedence over those that scenarios ask by themselves. A question about a quantile does
// not answer for the mean.
func (c *Claim) about(s *analysis.Scenario, first, second string) (found comparison, err error) {
	m, noMetric := metricOf(s, c.Metric)
	a, b, noCells := cellsOf(s, first, second)
	if err := cmp.Or(noMetric, noCells); err != nil {
		return found, err
	}
	for i := range s.Answers {
		q := &s.Answers[i]
		same, reversed := q.A == a.ID && q.B == b.ID, q.A == b.ID && q.B == a.ID
		if q.Metric == m.Name && q.Quantile == 0 && (same || reversed) &&
			(found.Answer == nil || q.Asked && !found.Asked) {
			found = comparison{q, reversed, m.Unit}
		}
	}
	if found.Answer == nil {
		return found, fmt.Errorf("the campaign has no answer about %s of %s against %s", m.Name, first, second)
	}
	return found, nil
}

// differs decides less and more.
func (c *Claim) differs(j *Judged, s *analysis.Scenario) error {
	found, err := c.about(s, c.A, c.B)
	if err != nil {
		return err
	}
	wanted := 1
	if c.Kind == kindLess {
		wanted = -1
	}
	j.Verdict, j.Reason = infer.CannotDecide, found.Sentence.String()+found.few()
	switch sign := found.sign(); {
	case sign == wanted:
		c.size(j, found)
	case sign == -wanted, found.Verdict == infer.Equivalent, found.denies(wanted):
		j.Verdict = infer.NotReproduced
	case found.Rates != nil && found.Rates.Detectable != nil:
		j.Detectable = "detectable rate " + figure.Quantity(*found.Rates.Detectable, "per million")
	default:
		j.Detectable = detectable(found.Difference, found.unit)
	}
	return nil
}

// detectable says which effect such a campaign would have found.
func detectable(e *analysis.Estimate, unit string) string {
	if e == nil || e.Detectable == nil {
		return "detectable effect not known"
	}
	return "detectable effect " + figure.Quantity(*e.Detectable, unit)
}

// size distinguishes the same size from only the same direction.
func (c *Claim) size(j *Judged, found comparison) {
	ratio, low, high, ok := found.ratio()
	if ok {
		j.Ours = &ratio
	}
	j.Verdict = infer.Reproduced
	if j.Theirs == nil {
		if found.Verdict == infer.Negligible { // the effect is shown, but said not to matter
			j.Verdict = infer.InDirection
		}
		return
	}
	within := cmp.Or(c.Within, nearBy)
	if !ok || !near(low, *j.Theirs, within) || !near(high, *j.Theirs, within) {
		j.Verdict = infer.InDirection
	}
	theirs := figure.Ratio(*j.Theirs)
	j.Reason += prose.If(!ok, "; no ratio of ours stands beside theirs of %s", theirs) +
		prose.If(ok, "; ratio %s, theirs %s", ratioText(ratio, low, high), theirs)
}

// ratioText is a ratio with its interval, whose upper end may be infinite.
func ratioText(ratio, low, high float64) string {
	bounds := figure.Ratio(low) + " … " + figure.Ratio(high)
	if math.IsInf(high, 1) {
		bounds = "from " + figure.Ratio(low) + " up"
	}
	return figure.Ratio(ratio) + " (" + bounds + ")"
}

// near reports whether the effect of a ratio (the share by which the larger value exceeds the smaller one) is
// at most within times larger or smaller than that of theirs, on the same side of 1. If both ends of an
// interval are near, all of it is: the wider it is, the less likely.
func near(ratio, theirs, within float64) bool {
	effect := func(ratio float64) float64 { return max(ratio, 1/ratio) - 1 }
	times := effect(ratio) / effect(theirs)
	return (ratio > 1) == (theirs > 1) && times <= within && 1/times <= within
}

// ratio is A over B with its interval, whose upper end may be infinite.
func (c comparison) ratio() (value, low, high float64, ok bool) {
	if x := c.Rates; x != nil {
		value = *cmp.Or(x.Ratio, new(0.0))
		low = *cmp.Or(x.RatioLow, new(0.0))
		high = *cmp.Or(x.RatioHigh, new(math.Inf(1)))
	} else if r := c.Ratio; r != nil && r.Interval != nil {
		value, low, high = r.Value, r.Interval.Low, r.Interval.High
	}
	if c.reversed {
		value, low, high = 1/value, 1/high, 1/low
	}
	return value, low, high, value > 0 && !math.IsInf(value, 0) && low >= 0
}

// least decides whether A is less than each of the others: yes if all comparisons show it, no if one shows that
// A is no less. The reason quotes the comparisons that decide.
func (c *Claim) least(j *Judged, s *analysis.Scenario) error {
	sentences, undecided := map[infer.Settlement][]string{}, ""
	for _, other := range c.Others {
		found, err := c.about(s, c.A, other)
		if err != nil { // another one may still refute it
			sentences[infer.CannotDecide] = append(sentences[infer.CannotDecide], c.why(err))
			continue
		}
		verdict := infer.CannotDecide
		switch sign := found.sign(); {
		case sign > 0, found.Verdict == infer.Equivalent, found.denies(-1):
			verdict = infer.NotReproduced
		case sign < 0:
			verdict = infer.Reproduced
		default:
			undecided = detectable(found.Difference, found.unit)
		}
		sentences[verdict] = append(sentences[verdict], found.Sentence.String()+found.few())
	}
	for _, verdict := range []infer.Settlement{infer.NotReproduced, infer.CannotDecide, infer.Reproduced} {
		if decisive := sentences[verdict]; len(decisive) > 0 {
			j.Verdict, j.Reason = verdict, strings.Join(decisive, "; ")
			if verdict == infer.CannotDecide {
				j.Detectable = undecided
			}
			return nil
		}
	}
	return nil
}

// within decides ratio by the interval of our ratio alone: with few invocations the difference may exclude 0
// although the ratio includes 1, or the other way round.
func (c *Claim) within(j *Judged, s *analysis.Scenario) error {
	found, err := c.about(s, c.A, c.B)
	if err != nil {
		return err
	}
	ratio, low, high, ok := found.ratio()
	if !ok {
		j.Reason = fmt.Sprintf("there is no interval of the ratio of %s to %s", c.A, c.B)
		return nil
	}
	j.Ours, j.Verdict = &ratio, bounds(c.Between, low, high)
	j.Reason = fmt.Sprintf("the ratio of %s to %s is %s, claimed are %s to %s",
		c.A, c.B, ratioText(ratio, low, high), figure.Ratio(c.Between[0]), figure.Ratio(c.Between[1]))
	if j.Verdict == infer.NotReproduced {
		j.Reason += map[bool]string{true: ": it is more than that", false: ": it is less than that"}[low > c.Between[1]]
		if c.Between[0] > 1 && low > 1 || c.Between[1] < 1 && high < 1 {
			j.Verdict = infer.InDirection
		}
	}
	j.Reason += found.few()
	return nil
}

// nears decides nearer by the intervals of the two ratios: they must not overlap, which is stricter than a test
// of their difference.
func (c *Claim) nears(j *Judged, s *analysis.Scenario, ours *analysis.Answers) error {
	there, err := scenarioOf(ours, cmp.Or(c.In, c.Scenario))
	if err != nil {
		return err
	}
	found, err := c.about(s, c.A, c.B)
	if err != nil {
		return err
	}
	than, err := c.about(there, c.Than[0], c.Than[1])
	if err != nil {
		return err
	}
	ratio, low, high, ok := found.ratio()
	other, otherLow, otherHigh, known := than.ratio()
	if !ok || !known {
		j.Reason = "there is no interval of one of the ratios"
		return nil
	}
	switch {
	case high < otherLow:
		j.Verdict = infer.Reproduced
	case low > otherHigh:
		j.Verdict = infer.NotReproduced
	}
	j.Ours = &ratio
	j.Reason = fmt.Sprintf("the ratio of %s to %s is %s, that of %s to %s is %s", c.A, c.B, ratioText(ratio, low, high),
		c.Than[0], c.Than[1], ratioText(other, otherLow, otherHigh)) + found.few()
	return nil
}

// delivers decides loses and keeps by the records of A, invocation by invocation.
func (c *Claim) delivers(j *Judged, s *analysis.Scenario) error {
	a, err := cellOf(s, c.A)
	if err != nil {
		return err
	}
	r := a.Records
	if r == nil || r.Proof != results.ProofCount || r.Expected == 0 {
		return fmt.Errorf("nobody counts how many records of %s must arrive", c.A)
	}
	j.Verdict, j.Reason = infer.NotReproduced, c.A+": "+r.Text
	if (r.Lost > 0) == (c.Kind == kindLoses) {
		j.Verdict = infer.Reproduced
	}
	return nil
}

// lies decides value by the interval of A's own mean.
func (c *Claim) lies(j *Judged, s *analysis.Scenario, ours *campaign) error {
	m, noMetric := metricOf(s, c.Metric)
	a, noCell := cellOf(s, c.A)
	if err := cmp.Or(noMetric, noCell); err != nil {
		return err
	}
	answer := a.MetricNamed(m.Name)
	if answer == nil || answer.Mean == nil {
		return fmt.Errorf("%s of %s is not known", m.Name, c.A)
	}
	between, scaled, err := c.here(ours, a.ID)
	if err != nil {
		return err
	}
	mean := possible(answer.Mean, m)
	value := figure.Quantity(mean.Value, m.Unit)
	claimed := "; claimed is " + figure.Exactly(between[0], m.Unit)
	if between[0] != between[1] {
		claimed = fmt.Sprintf("; claimed are %s to %s",
			figure.Quantity(between[0], m.Unit), figure.Quantity(between[1], m.Unit))
	}
	switch alike := mean.N > 1 && mean.SD != nil && *mean.SD == 0; {
	case alike:
		value = fmt.Sprintf("%s in all of %d invocations", figure.Exactly(mean.Value, m.Unit), mean.N)
	case mean.Interval != nil:
		value += " (" + figure.Range(mean.Interval.Low, mean.Interval.High, m.Unit) + ")"
	}
	j.Reason = fmt.Sprintf("%s of %s is %s%s%s", m.Name, a.Label, value, claimed, scaled)
	if mean.Interval == nil {
		j.Reason += "; there is no interval: " + mean.NoInterval
		return nil
	}
	j.Reason += prose.Few(mean.N)
	j.Verdict = bounds(between, mean.Interval.Low, mean.Interval.High)
	return nil
}

// here returns the claimed bounds of a value at the length of our campaign, and says how they came about.
func (c *Claim) here(ours *campaign, cell string) (between []float64, how string, err error) {
	p := c.Proportional
	if p == nil {
		return c.Between, "", nil
	}
	x, err := strconv.ParseFloat(ours.src.Campaign().Cell(cell).Parameter(p.Parameter), 64)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("%s of %s is not known, with which the claimed value grows", p.Parameter, cell)
	case x == p.Whole:
		return c.Between, "", nil
	}
	how = fmt.Sprintf(" at %s %s of the paper's %s", p.Parameter, figure.Count(int64(x)), figure.Count(int64(p.Whole)))
	return []float64{p.at(c.Between[0], x), p.at(c.Between[1], x)}, how, nil
}

// bounds distinguishes an interval within the claimed bounds from one outside them.
func bounds(between []float64, low, high float64) infer.Settlement {
	switch {
	case low >= between[0] && high <= between[1]:
		return infer.Reproduced
	case high < between[0] || low > between[1]:
		return infer.NotReproduced
	}
	return infer.CannotDecide
}

// grows decides linear and flat.
func (c *Claim) grows(j *Judged, s *analysis.Scenario) error {
	m, err := metricOf(s, c.Metric)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.Growths, func(g growth.Line) bool {
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
	case g.Verdict == growth.Undecided:
	case c.Kind == kindFlat && g.Verdict == growth.Flat,
		c.Kind == kindLinear && g.Verdict == growth.Linear && up:
		j.Verdict = infer.Reproduced
	case c.Kind == kindLinear && g.Verdict != growth.Flat && up:
		j.Verdict = infer.InDirection
	case g.Verdict == growth.Flat || up || down:
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

// pays decides not-paid-back by the campaign's own break-even. A swap refutes the claim only if it is shown to
// pay within so many calls; that it may have paid is not enough. Price and saving are of one variant, since a
// break-even is.
func (c *Claim) pays(j *Judged, ours *analysis.Answers) error {
	s, err := scenarioOf(ours, c.Saves)
	if err != nil {
		return err
	}
	swapped, asked, err := cellsOf(s, c.A, c.B)
	if err != nil {
		return err
	}
	found := slices.DeleteFunc(slices.Clone(ours.BreakEvens), func(x breakeven.Answer) bool {
		return x.Swapped != swapped.Variant || x.Switchable != asked.Variant || x.SwapScenario != c.Scenario ||
			x.CostScenario != c.Saves || c.At != "" && x.Level != c.At
	})
	switch len(found) {
	case 0:
		return fmt.Errorf("the campaign has no price of a change of %s in %s, or no cost per call beside %s in %s",
			swapped.Variant, c.Scenario, asked.Variant, c.Saves)
	case 1:
	default:
		return fmt.Errorf("the campaign has several break-evens of %s: say at which level", c.A)
	}
	b := found[0]
	j.Verdict, j.Reason = infer.CannotDecide, strings.TrimPrefix(b.Text, "cannot be decided: ") // the verdict says that
	switch {
	case b.Verdict == breakeven.Never, b.Low != nil && *b.Low > c.Calls:
		j.Verdict = infer.Reproduced
	case b.High != nil && *b.High < c.Calls:
		j.Verdict = infer.NotReproduced
	case b.Verdict != breakeven.Undecided:
		j.Detectable = detectable(b.Saved, "ns") + " per call saved"
	}
	if b.Price != nil && b.Saved != nil {
		saves := ", a call saves nothing"
		if b.Saved.Value > 0 {
			saves = ", a call saves " + figure.Quantity(b.Saved.Value, "ns")
		}
		j.Reason += "; a change costs " + figure.Quantity(b.Price.Value, "ns") + saves
	}
	j.Reason += "; asked about are " + figure.Calls(c.Calls)
	return nil
}

package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// GateAnswer is the gate's verdict on the variants that it judges.
type GateAnswer struct {
	Gate results.Gate `json:"gate"` // as planned
	// Level is the level of each one-sided bound, 1 - alpha/m for m judged cells (Bonferroni): all lower bounds
	// hold together at 1 - alpha, and so do all upper ones. It is absent if nothing could be judged.
	//
	// With several metrics, m counts cells times metrics, and PassLevel is the level of the upper bounds, 1 -
	// alpha: a variant passes only if all of them are low enough, so that each is a test at alpha
	// (intersection-union, Berger 1982). It is absent with one metric.
	Level     float64    `json:"level,omitempty"`
	PassLevel float64    `json:"pass_level,omitempty"`
	Cells     []GateCell `json:"cells"` // one for each judged cell and metric
	// Verdict is regression if a cell is one, else no answer if a cell has none, else undecided if a cell is,
	// else passed.
	Verdict  infer.Judgement `json:"verdict"`
	Sentence Sentence        `json:"sentence"` // in words
}

// GateCell is the gate's verdict on one cell.
type GateCell struct {
	Cell      string `json:"cell"`                // ID
	Label     string `json:"label"`               // variant with its factor level
	Reference string `json:"reference,omitempty"` // ID of the cell it is compared with; absent without one
	// Limit is the judged metric and its allowance, for a gate on several metrics.
	Limit *results.GateLimit `json:"limit,omitempty"`
	// Ratio is the factor by which the cell is worse than its reference, from paired logarithms over the blocks
	// that hold both: cell/reference if less is better, reference/cell if more is; 1.05 is 5 % worse. For a
	// metric that counts events it is 1 plus the difference of the two cells' shares. In a gate on one metric
	// its interval goes from Low to High; its test is of the ratio 1.
	Ratio *Estimate `json:"ratio,omitempty"`
	// Low and High are the one-sided bounds of Ratio, at the gate's levels; absent without an interval.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`
	// Doubt bounds the error from the cell's influence on the reference of the CPU's speed: the verdict leaves
	// room for it. Unadjusted is Ratio of the times as measured. Both are absent if nothing was carried to one
	// speed.
	Doubt      *infer.Doubt `json:"reference_doubt,omitempty"`
	Unadjusted *Estimate    `json:"unadjusted,omitempty"`
	// Detectable is the smallest true worsening (0.05 is 5 %) that the gate calls a regression with 80 % power,
	// given this number of blocks and their spread.
	Detectable *float64 `json:"detectable,omitempty"`
	// Needed is the number of blocks of a new campaign after which the upper bound lies within worse_by of the
	// ratio, whatever that is; absent if the verdict is decided, or no number suffices.
	Needed int `json:"blocks_needed,omitempty"`
	// Verdict is regression if Low is above 1 + worse_by, passed if High is not, and undecided if neither holds
	// or the A/A failed. no answer: invalid, given up, no pairs, another machine, not finished.
	Verdict  infer.Judgement `json:"verdict"`
	Sentence Sentence        `json:"sentence"` // in words, with the reason for no answer
	Why      string          `json:"-"`        // the reason for no answer, to follow the label
	// Marks are the caveats of the cell or its reference, as printed at their numbers.
	Marks []string `json:"cell_caveats,omitempty"`
	// Caveats limit the verdict: few invocations, if it is passed.
	Caveats []infer.Caveat `json:"caveats,omitempty"`
}

// Worse reports whether a variant is shown to be worse than allowed. Without a gate none is.
func (g *GateAnswer) Worse() bool { return g != nil && g.Verdict == infer.Regression }

// Open reports whether the gate neither passed the variants nor found a regression.
func (g *GateAnswer) Open() bool {
	return g != nil && (g.Verdict == infer.UndecidedYet || g.Verdict == infer.NotJudged)
}

// gateJudge judges the cells of one scenario.
type gateJudge struct {
	*reader
	gate     *results.Gate
	limits   []gateLimit
	judged   []*results.Cell
	alpha    float64   // of each bound that shows a regression
	pass     float64   // of each bound that passes
	answered *Scenario // the answers about the cells
}

// gateLimit is the limit on one metric; metric has no name if the scenario lacks it.
type gateLimit struct {
	results.GateLimit
	metric results.Metric
}

// several reports whether more than one metric is judged.
func (k *gateJudge) several() bool { return len(k.limits) > 1 }

// judgeGate answers for the gate of the campaign; nil without one. The A/As must be decided already.
func (a *Answers) judgeGate(c *results.Campaign, readings []*reader) *GateAnswer {
	if c.Gate == nil {
		return nil
	}
	g := &GateAnswer{Gate: *c.Gate, Cells: []GateCell{}}
	instead, why := infer.NotJudged, fmt.Sprintf("the campaign has no scenario %q", c.Gate.Scenario)
	for i, r := range readings {
		if r.Scenario.Label != c.Gate.Scenario {
			continue
		}
		k := &gateJudge{reader: r, gate: c.Gate, answered: &a.Scenarios[i]}
		k.limits = results.Each(c.Gate.Limits(), func(l results.GateLimit) gateLimit {
			return gateLimit{l, r.Metric(l.Metric)}
		})
		k.judged = slices.DeleteFunc(slices.Clone(r.Cells), func(cell *results.Cell) bool {
			return !c.Gate.Judges(cell)
		})
		k.alpha = infer.Share(c.Gate.Alpha, len(k.judged)*len(k.limits))
		k.pass = k.alpha
		if k.several() {
			k.pass = c.Gate.Alpha
		}
		if instead, why = a.barred(k); len(k.judged) == 0 || k.invalid() != nil {
			continue
		}
		g.Level = 1 - k.alpha
		if k.several() {
			g.PassLevel = 1 - k.pass
		}
		references := r.references(c.Gate.Reference)
		for _, cell := range k.judged {
			for _, l := range k.limits {
				x := k.judge(cell, references[cell.Level()], l)
				// Numbers are kept even if they allow no verdict.
				if instead == infer.NotJudged || instead != "" && x.Verdict != infer.NotJudged {
					x.Verdict, x.Sentence, x.Why = instead, prose.Say(instead.Word(), why), why
				}
				g.Cells = append(g.Cells, x)
			}
		}
	}
	g.conclude(instead, why)
	return g
}

// invalid returns the first limit of the stored gate that can't be judged, because alpha, worse_by and the
// direction of its metric define no bounds; nil if all can.
func (k *gateJudge) invalid() *gateLimit {
	sound := k.gate.Alpha > 0 && k.gate.Alpha < 0.5
	return results.Find(k.limits, func(l *gateLimit) bool {
		directed := l.metric.Better == results.Lower || l.metric.Better == results.Higher
		return !sound || !directed || !(l.WorseBy > 0) || !stats.Finite(l.WorseBy)
	})
}

// judge judges one cell in one metric against its reference; ref is nil without one.
func (k *gateJudge) judge(c, ref *results.Cell, l gateLimit) GateCell {
	g := GateCell{Cell: c.ID, Label: c.Label(), Verdict: infer.NotJudged}
	if k.several() {
		g.Limit = &l.GateLimit
	}
	if ref == nil {
		g.Why = noReference(k.gate.Reference)
		g.Sentence = prose.NoAnswer(g.Why)
		return g
	}
	answered, reference := k.answered.Cell(c.ID), k.answered.Cell(ref.ID)
	g.Reference, g.Marks = ref.ID, slices.Concat(answered.shows(""), reference.shows(ref.Label()+": "))
	estimate := k.mean
	if l.metric.Of != "" {
		estimate = k.count
	}
	measured, needed, why := estimate(&g, c, ref, l)
	why = cmp.Or(answered.Broken, reference.Broken, prose.If(answered.GivenUp != "", "given up: %s", answered.GivenUp),
		prose.If(reference.GivenUp != "", "%s was given up: %s", ref.Label(), reference.GivenUp), why)
	if why != "" {
		g.Sentence, g.Why = prose.NoAnswer(why), why
		if missing := k.noValue(c, l.metric); why == c.Label()+": "+missing {
			g.Why = missing
		}
		return g
	}
	room := g.verdict(l.WorseBy, measured)
	if g.Verdict == infer.Passed {
		g.Caveats = infer.Unseen(g.Ratio.N)
	}
	low, high := prose.Worsening(g.Low), prose.Worsening(g.High)
	reach := map[infer.Judgement]string{
		infer.Regression: "at least " + low, infer.Passed: "at most " + high,
		infer.UndecidedYet: "between " + low + " and " + high,
	}[g.Verdict]
	in := prose.If(k.several(), " in %s", l.Metric)
	g.Sentence = prose.Say(g.Verdict.Word(), fmt.Sprintf(
		"%s is %s than %s%s, %s; allowed is %s", g.Label, prose.Worsening(g.Ratio.Value), ref.Label(), in,
		reach, figure.Level(l.WorseBy)))
	if g.Verdict == infer.UndecidedYet && g.Detectable != nil {
		g.Sentence.Rest += "; such blocks show a worsening of " + figure.Percent(*g.Detectable) + " with 80 % power"
	}
	if g.Verdict == infer.UndecidedYet && !l.Alarm {
		g.Needed = needed
		g.Sentence.Rest += prose.If(needed > 0, "; %s", prose.Needed(needed, l.WorseBy))
	}
	g.Sentence.Rest += room + prose.Caveats(g.Marks)
	return g
}

// mean fills in how much worse the mean of a cell is than its reference's. It returns the bounds as measured
// (nil if nothing was carried to one speed), the number of blocks that decides, and the reason if there are no
// bounds.
func (k *gateJudge) mean(g *GateCell, c, ref *results.Cell, l gateLimit) (measured *Interval, needed int, why string) {
	found, lacking, why := k.logRatio(c, ref, l.metric)
	if lacking != nil {
		why = lacking.Label() + ": " + why // the sentence has no other name of it
	}
	s := k.worse(found.L, l)
	if why == "" {
		g.Ratio, why = s.Ratio(1 - 2*k.alpha)
	}
	if g.Doubt = found.Doubt; g.Doubt != nil {
		ran := k.worse(k.CompareMeasured(c.ID, ref.ID, l.metric, 1).L, l)
		g.Unadjusted, measured = k.bounds(ran)
	}
	if why != "" {
		return nil, 0, why
	}
	_, bounds := k.bounds(s)
	if bounds == nil {
		return nil, 0, cmp.Or(g.Ratio.NoInterval, infer.Reason(stats.ErrNotFinite))
	}
	g.Low, g.High = bounds.Low, bounds.High
	room := 0.0
	if g.Doubt != nil {
		room = g.Doubt.Share
	}
	allowed := math.Log1p(l.WorseBy)
	if above := k.Solver.DetectableAbove(s, k.alpha); above != nil {
		g.Detectable = infer.FinitePtr(math.Expm1(allowed + *above + room))
	}
	n, err := stats.SteinSize(reading.UsuallyAlike*s.SD, allowed-room, s.N, 2*k.pass)
	if room < allowed && err == nil && n <= mostBlocks {
		needed = n
	}
	return measured, needed, ""
}

// worse flips a scale if more is better.
func (k *gateJudge) worse(s infer.Scale, l gateLimit) infer.Scale {
	if l.metric.Better == results.Higher {
		s.Value = -s.Value
	}
	return s
}

// bounds returns the ratio with its interval at the level that shows a regression, and the two one-sided
// bounds, which are nil without intervals.
func (k *gateJudge) bounds(s infer.Scale) (*Estimate, *Interval) {
	e, _ := s.Ratio(1 - 2*k.alpha)
	enough, _ := s.Ratio(1 - 2*k.pass)
	if e == nil || e.Interval == nil || enough == nil || enough.Interval == nil {
		return e, nil
	}
	return e, &Interval{Low: e.Interval.Low, High: enough.Interval.High}
}

// count fills in how many more events, as a share of the exposure, were counted in a cell than in its
// reference. Counts depend on no speed of the CPU, and no number of blocks is known to decide.
func (k *gateJudge) count(g *GateCell, c, ref *results.Cell, l gateLimit) (measured *Interval, needed int, why string) {
	found, why := k.CompareRates(infer.Question{Alpha: 2 * k.alpha}, c, ref, l.metric)
	if why == "" && found.Interval == nil {
		why = found.NoInterval
	}
	if why != "" {
		return nil, 0, why
	}
	enough, why := k.CompareRates(infer.Question{Alpha: 2 * k.pass}, c, ref, l.metric)
	if why == "" && enough.Interval == nil {
		why = enough.NoInterval
	}
	if why != "" {
		return nil, 0, why
	}
	low, high := found.Interval.Low, found.Interval.High
	value, most := found.Difference, enough.Interval.High
	if l.metric.Better == results.Higher {
		low, high, value, most = -high, -low, -value, -enough.Interval.Low
	}
	over := func(perMillion float64) float64 { return 1 + perMillion/infer.Million }
	g.Ratio = &Estimate{N: min(found.A.N, found.B.N), Value: over(value)}
	g.Ratio.Interval = &Interval{Low: over(low), High: over(high), Level: 1 - 2*k.alpha}
	g.Low, g.High = over(low), over(most)
	return nil, 0, ""
}

// verdict judges by the bounds with room for the doubt, and by the bounds as measured. If one says passed and
// the other regression, neither is believed. If the room leaves the first undecided, the second decides if its
// interval is narrower. The text says which one it was.
func (g *GateCell) verdict(worseBy float64, ran *Interval) (text string) {
	g.Verdict = infer.JudgeGate(g.Low, g.High, worseBy)
	if g.Doubt == nil || ran == nil {
		return ""
	}
	room := math.Exp(g.Doubt.Share)
	low, high := g.Low/room, g.High*room
	sure, measured := g.Verdict, infer.JudgeGate(ran.Low, ran.High, worseBy)
	g.Verdict = infer.JudgeGate(low, high, worseBy)
	asMeasured := fmt.Sprintf("as measured, not at one speed of the CPU, it is between %s and %s",
		prose.Worsening(ran.Low), prose.Worsening(ran.High))
	decided := func(v infer.Judgement) bool { return v == infer.Passed || v == infer.Regression }
	switch {
	case decided(sure) && decided(measured) && sure != measured:
		g.Verdict = infer.UndecidedYet
		return "; " + asMeasured + ", which says the opposite"
	case g.Verdict != infer.UndecidedYet && measured == infer.UndecidedYet:
		return "; " + asMeasured
	case g.Verdict == infer.UndecidedYet && decided(sure):
		if measured == sure && ran.Half() < (high-low)/2 {
			g.Verdict = measured
			return "; " + asMeasured
		}
		return fmt.Sprintf("; the speed of the CPU beside it is known to %s, and the verdict allows for that",
			figure.Percent(g.Doubt.Share))
	}
	return ""
}

// barred says why no cell can be judged, and the verdict instead: the gate is for another machine, the campaign
// is not finished, two equal baselines differ. Blocks still to be made bar it because judging after each of
// them finds regressions far too often.
func (a *Answers) barred(k *gateJudge) (instead infer.Judgement, why string) {
	unknown := results.Find(k.limits, func(l *gateLimit) bool { return l.metric.Name == "" })
	switch elsewhere := a.elsewhere(k.gate.Host); {
	case unknown != nil:
		return infer.NotJudged, fmt.Sprintf("scenario %s has no metric %q", k.gate.Scenario, unknown.Metric)
	case len(k.judged) == 0:
		return infer.NotJudged, fmt.Sprintf("scenario %s has no cell to judge", k.gate.Scenario)
	case k.invalid() != nil:
		l := k.invalid()
		return infer.NotJudged,
			fmt.Sprintf("worse_by %v, alpha %v and metric %s make no gate", l.WorseBy, k.gate.Alpha, l.Metric)
	case k.Unordered():
		return infer.NotJudged, reading.UnorderedPairs
	case elsewhere != "":
		return infer.NotJudged, elsewhere
	}
	for _, c := range k.answered.Cells {
		if k.Scenario.Sizing.Undecided() || c.Missing > 0 {
			return infer.NotJudged,
				"the campaign is not finished, and a gate is asked once, at its end; " +
					"go on with: moobench run --resume"
		}
	}
	for _, s := range a.Scenarios {
		if i := slices.IndexFunc(s.AA, func(aa AA) bool { return aa.State == AAFailed }); i >= 0 {
			return infer.UndecidedYet, fmt.Sprintf(
				"the A/A of %s%s failed: what differs here may be the machine; "+
					"find what disturbs it and measure again", s.Label, reading.AtLevel(s.AA[i].Level))
		}
	}
	return "", ""
}

// elsewhere says that not everything was measured on the host of the gate.
func (a *Answers) elsewhere(host string) string {
	known := slices.DeleteFunc(slices.Clone(a.Machines), func(m *results.Machine) bool { return m == nil })
	for _, m := range known {
		if host != "" && m.Host != host {
			return fmt.Sprintf("it was measured on %s, and the gate judges figures of %s only", m.Host, host)
		}
	}
	return prose.If(host != "" && len(known) == 0,
		"where it was measured is not known, and the gate judges figures of %s only", host)
}

// conclude sums up the cells. why, with the verdict instead, says what keeps all of them from being judged; ""
// if nothing does.
func (g *GateAnswer) conclude(instead infer.Judgement, why string) {
	if why != "" {
		g.Verdict, g.Sentence = instead, prose.Say(instead.Word(), why)
		return
	}
	told := map[infer.Judgement][]GateCell{}
	for _, c := range g.Cells {
		if c.counts() {
			told[c.Verdict] = append(told[c.Verdict], c)
		}
	}
	for _, v := range []infer.Judgement{infer.Regression, infer.NotJudged, infer.UndecidedYet, infer.Passed} {
		if g.Verdict = v; told[v] != nil {
			break
		}
	}
	if g.PassLevel > 0 {
		g.Sentence = g.ofMetrics(told[g.Verdict])
		return
	}
	than := fmt.Sprintf("worse than %s by more than %s", g.Gate.Reference, figure.Level(g.Gate.WorseBy))
	cells := figure.Plural(len(g.Cells), "cell", "cells")
	some := fmt.Sprintf("%d of %s", len(told[g.Verdict]), cells)
	labels := results.Each(told[g.Verdict], func(c GateCell) string { return c.Label })
	first := prose.First(labels, named, ", ", " and %s more")
	switch g.Verdict {
	case infer.Regression:
		g.Sentence = prose.Say(g.Verdict.Word(), some+" shown to be "+than+": "+first)
	case infer.NotJudged:
		g.Sentence = Sentence{Rest: "no answer about " + some + ": " + first}
	case infer.UndecidedYet:
		g.Sentence = prose.Say(g.Verdict.Word(), some+" may or may not be "+than+": "+first)
	default:
		g.Sentence = prose.Say(g.Verdict.Word(), fmt.Sprintf("none of %s is %s", cells, than))
		g.Sentence.Rest += g.unseen()
	}
}

// counts reports whether the cell's verdict affects the gate's: a metric that may only raise an alarm counts
// only as a regression.
func (g *GateCell) counts() bool {
	return g.Limit == nil || !g.Limit.Alarm || g.Verdict == infer.Regression
}

// ofMetrics sums up a gate on several metrics by the cells that decided it.
func (g *GateAnswer) ofMetrics(decided []GateCell) Sentence {
	than := "worse than " + g.Gate.Reference + " by more than is allowed"
	list := prose.First(results.Each(decided, GateCell.inMetric), named, ", ", " and %s more")
	switch g.Verdict {
	case infer.Regression:
		return prose.Say(g.Verdict.Word(), "shown to be "+than+": "+list)
	case infer.NotJudged:
		return Sentence{Rest: "no answer about " + list}
	case infer.UndecidedYet:
		return prose.Say(g.Verdict.Word(), "it may or may not be "+than+": "+list)
	}
	return prose.Say(g.Verdict.Word(), "not "+than+": "+list+g.unseen())
}

// inMetric describes the cell with its metric, and how much worse it is, or may be.
func (g GateCell) inMetric() string {
	text := g.Label + " in " + g.Limit.Metric
	allowed := "allowed " + figure.Level(g.Limit.WorseBy)
	switch g.Verdict {
	case infer.Regression:
		return fmt.Sprintf("%s (%s, %s)", text, prose.Worsening(g.Ratio.Value), allowed)
	case infer.NotJudged:
		return fmt.Sprintf("%s (%s)", text, g.Why)
	case infer.UndecidedYet:
		return fmt.Sprintf("%s (at most %s, %s%s)", text, prose.Worsening(g.High), allowed,
			prose.If(g.Needed > 0, "; %s", prose.Needed(g.Needed, g.Limit.WorseBy)))
	}
	return fmt.Sprintf("%s (at most %s, %s)", text, prose.Worsening(g.High), allowed)
}

// unseen says what cells that passed may have missed; "" if nothing.
func (g *GateAnswer) unseen() string {
	var caveats []infer.Caveat
	for _, c := range g.Cells {
		caveats = append(caveats, c.Caveats...)
	}
	text := prose.Unseen(caveats)
	return prose.If(text != "", "; %s", text)
}

package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// GateAnswer is what the gate of a campaign says about the variants that it judges.
type GateAnswer struct {
	Gate results.Gate `json:"gate"` // as planned
	// Level is that of each one-sided bound, 1 - alpha/m with m the number of
	// cells that are judged (Bonferroni): all lower bounds hold together at
	// 1 - alpha, and so do all upper ones. It is absent when nothing could be judged.
	Level float64    `json:"level,omitempty"`
	Cells []GateCell `json:"cells"` // one for each judged cell
	// Verdict is regression when a cell is one, else no answer when a cell has none, else
	// undecided when a cell is, else passed.
	Verdict  infer.Judgement `json:"verdict"`
	Sentence Sentence        `json:"sentence"` // in words
}

// GateCell is what the gate says about one cell.
type GateCell struct {
	Cell      string `json:"cell"`                // ID
	Label     string `json:"label"`               // variant with its factor level
	Reference string `json:"reference,omitempty"` // ID of the cell it is compared with; absent when there is none
	// Ratio is by how many times the cell is worse than its reference, from paired
	// logarithms over the blocks that hold both: cell/reference where less is better,
	// reference/cell where more is; 1.05 is 5 % worse. Its interval is that from Low to
	// High, its test is of the ratio 1.
	Ratio *Estimate `json:"ratio,omitempty"`
	// Low and High are the one-sided bounds of Ratio, each at the gate's level;
	// absent without an interval.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`
	// Doubt is by how much the cell may be off because of what it does to the reference of the
	// CPU's speed: the verdict leaves room for it. Unadjusted is Ratio of the times as they
	// were measured. Both are absent where nothing was carried to one speed.
	Doubt      *infer.Doubt `json:"reference_doubt,omitempty"`
	Unadjusted *Estimate    `json:"unadjusted,omitempty"`
	// Detectable is the smallest true worsening (0.05 is 5 %) of which the gate
	// says regression with 80 % power, with so many blocks that vary so much.
	Detectable *float64 `json:"detectable,omitempty"`
	// Verdict is regression when Low is above 1 + worse_by, passed when High is not, and
	// undecided when neither holds, or the A/A failed. no answer: invalid, given up, no
	// pairs, another machine, not finished.
	Verdict  infer.Judgement `json:"verdict"`
	Sentence Sentence        `json:"sentence"` // in words, with the reason of no answer
	Why      string          `json:"-"`        // the reason of no answer, where the label stands already
	// Marks are the caveats of the cell or its reference, as printed at their numbers.
	Marks []string `json:"cell_caveats,omitempty"`
	// Caveats limit the verdict: that of few invocations which passed.
	Caveats []infer.Caveat `json:"caveats,omitempty"`
}

// Worse says whether a variant is shown to be worse by more than is allowed. No
// gate says nothing.
func (g *GateAnswer) Worse() bool { return g != nil && g.Verdict == infer.Regression }

// Open says whether the gate could neither pass the variants nor say worse.
func (g *GateAnswer) Open() bool {
	return g != nil && (g.Verdict == infer.UndecidedYet || g.Verdict == infer.NotJudged)
}

// gateJudge judges the cells of one scenario.
type gateJudge struct {
	*reading
	gate     *results.Gate
	metric   results.Metric // without a name: the scenario has none
	judged   []*results.Cell
	alpha    float64   // of each bound
	answered *Scenario // what is said of the cells
}

// judgeGate answers for the gate of the campaign; nil when it has none. The A/As must be
// decided before.
func (a *Answers) judgeGate(c *results.Campaign, readings []*reading) *GateAnswer {
	if c.Gate == nil {
		return nil
	}
	g := &GateAnswer{Gate: *c.Gate, Cells: []GateCell{}}
	instead, why := infer.NotJudged, fmt.Sprintf("the campaign has no scenario %q", c.Gate.Scenario)
	for i, r := range readings {
		if r.Scenario.Label != c.Gate.Scenario {
			continue
		}
		k := &gateJudge{reading: r, gate: c.Gate, metric: r.Metric(c.Gate.Metric), answered: &a.Scenarios[i]}
		k.judged = slices.DeleteFunc(slices.Clone(r.Cells), func(cell *results.Cell) bool { return !c.Gate.Judges(cell) })
		k.alpha = infer.Share(c.Gate.Alpha, len(k.judged))
		if instead, why = a.barred(k); len(k.judged) == 0 || !k.valid() {
			continue
		}
		g.Level = 1 - k.alpha
		references := r.references(c.Gate.Reference)
		for _, cell := range k.judged {
			x := k.judge(cell, references[cell.Level()])
			// The numbers stay where no verdict can be read from them.
			if instead == infer.NotJudged || instead != "" && x.Verdict != infer.NotJudged {
				x.Verdict, x.Sentence, x.Why = instead, prose.Say(instead.Word(), why), why
			}
			g.Cells = append(g.Cells, x)
		}
	}
	g.conclude(instead, why)
	return g
}

// valid says whether the stored gate can be judged: alpha, worse_by and the direction of
// its metric make bounds.
func (k *gateJudge) valid() bool {
	g := k.gate
	return g.Alpha > 0 && g.Alpha < 0.5 && g.WorseBy > 0 && stats.Finite(g.WorseBy) && (k.metric.Better == results.Lower || k.metric.Better == results.Higher)
}

// judge judges one cell against its reference, nil when there is none.
func (k *gateJudge) judge(c, ref *results.Cell) GateCell {
	g := GateCell{Cell: c.ID, Label: c.Label(), Verdict: infer.NotJudged}
	if ref == nil {
		g.Why = noReference(k.gate.Reference)
		g.Sentence = prose.NoAnswer(g.Why)
		return g
	}
	answered, reference := k.answered.Cell(c.ID), k.answered.Cell(ref.ID)
	g.Reference, g.Marks = ref.ID, slices.Concat(answered.shows(""), reference.shows(ref.Label()+": "))
	found, why := k.logRatio(c, ref, k.metric)
	s := found.L
	if k.metric.Better == results.Higher {
		s.Value = -s.Value
	}
	if why == "" {
		g.Ratio, why = s.Ratio(1 - 2*k.alpha)
	}
	if g.Doubt = found.Doubt; g.Doubt != nil {
		g.Unadjusted = k.unadjusted(c, ref)
	}
	if why == "" && g.Ratio.Interval == nil {
		why = g.Ratio.NoInterval
	} else if why == "" {
		g.Low, g.High = g.Ratio.Interval.Low, g.Ratio.Interval.High
		if above := k.solver.DetectableAbove(s, k.alpha); above != nil {
			room := 0.0
			if g.Doubt != nil {
				room = g.Doubt.Share
			}
			g.Detectable = infer.Known(math.Expm1(math.Log1p(k.gate.WorseBy) + *above + room))
		}
	}
	why = cmp.Or(answered.Broken, reference.Broken, prose.If(answered.GivenUp != "", "given up: %s", answered.GivenUp),
		prose.If(reference.GivenUp != "", "%s was given up: %s", ref.Label(), reference.GivenUp), why)
	if why != "" {
		g.Sentence, g.Why = prose.NoAnswer(why), why
		if missing := k.noValue(c, k.metric); why == c.Label()+": "+missing {
			g.Why = missing
		}
		return g
	}
	room := g.verdict(k.gate.WorseBy)
	if g.Verdict == infer.Passed {
		g.Caveats = infer.Unseen(g.Ratio.N)
	}
	low, high := prose.Worsening(g.Low), prose.Worsening(g.High)
	reach := map[infer.Judgement]string{
		infer.Regression: "at least " + low, infer.Passed: "at most " + high, infer.UndecidedYet: "between " + low + " and " + high,
	}[g.Verdict]
	g.Sentence = prose.Say(g.Verdict.Word(), fmt.Sprintf("%s is %s than %s, %s; allowed is %s", g.Label, prose.Worsening(g.Ratio.Value), ref.Label(), reach, figure.Level(k.gate.WorseBy)))
	if g.Verdict == infer.UndecidedYet && g.Detectable != nil {
		g.Sentence.Rest += "; such blocks show a worsening of " + figure.Percent(*g.Detectable) + " with 80 % power"
	}
	g.Sentence.Rest += room + prose.Caveats(g.Marks)
	return g
}

// unadjusted is the ratio of two cells as they were measured.
func (k *gateJudge) unadjusted(c, ref *results.Cell) *Estimate {
	s := k.compareMeasured(c.ID, ref.ID, k.metric, 1).L
	if k.metric.Better == results.Higher {
		s.Value = -s.Value
	}
	e, _ := s.Ratio(1 - 2*k.alpha)
	return e
}

// verdict judges by the bounds with room for the doubt, and by those of what was measured.
// Where one passes and the other is worse, neither is believed. Where room leaves the
// first open, the second decides if it is the narrower one. The text says which it was.
func (g *GateCell) verdict(worseBy float64) (text string) {
	g.Verdict = infer.JudgeGate(g.Low, g.High, worseBy)
	if g.Doubt == nil || g.Unadjusted == nil || g.Unadjusted.Interval == nil {
		return ""
	}
	room := math.Exp(g.Doubt.Share)
	low, high := g.Low/room, g.High*room
	sure, measured := g.Verdict, infer.JudgeGate(g.Unadjusted.Interval.Low, g.Unadjusted.Interval.High, worseBy)
	g.Verdict = infer.JudgeGate(low, high, worseBy)
	asMeasured := fmt.Sprintf("as measured, not at one speed of the CPU, it is between %s and %s", prose.Worsening(g.Unadjusted.Interval.Low), prose.Worsening(g.Unadjusted.Interval.High))
	decided := func(v infer.Judgement) bool { return v == infer.Passed || v == infer.Regression }
	switch {
	case decided(sure) && decided(measured) && sure != measured:
		g.Verdict = infer.UndecidedYet
		return "; " + asMeasured + ", which says the opposite"
	case g.Verdict != infer.UndecidedYet && measured == infer.UndecidedYet:
		return "; " + asMeasured
	case g.Verdict == infer.UndecidedYet && decided(sure):
		if measured == sure && g.Unadjusted.Interval.Half() < (high-low)/2 {
			g.Verdict = measured
			return "; " + asMeasured
		}
		return fmt.Sprintf("; how fast the CPU was beside it is known to %s, for which the verdict leaves room", figure.Percent(g.Doubt.Share))
	}
	return ""
}

// barred says why no cell can be judged, and what is said instead: the gate is
// for another machine, the campaign is not finished, two equal baselines differ. Blocks
// that are still to be made bar it because who judges after each of them says worse far
// too often.
func (a *Answers) barred(k *gateJudge) (instead infer.Judgement, why string) {
	switch elsewhere := a.elsewhere(k.gate.Host); {
	case k.metric.Name == "":
		return infer.NotJudged, fmt.Sprintf("scenario %s has no metric %q", k.gate.Scenario, k.gate.Metric)
	case len(k.judged) == 0:
		return infer.NotJudged, fmt.Sprintf("scenario %s has no cell to judge", k.gate.Scenario)
	case !k.valid():
		return infer.NotJudged, fmt.Sprintf("worse_by %v, alpha %v and metric %s make no gate", k.gate.WorseBy, k.gate.Alpha, k.gate.Metric)
	case k.Unordered():
		return infer.NotJudged, unorderedPairs
	case elsewhere != "":
		return infer.NotJudged, elsewhere
	}
	for _, c := range k.answered.Cells {
		if k.Scenario.Sizing.Undecided() || c.Missing > 0 {
			return infer.NotJudged, "the campaign is not finished, and a gate is asked once, at its end; go on with: moobench run --resume"
		}
	}
	for _, s := range a.Scenarios {
		if i := slices.IndexFunc(s.AA, func(aa AA) bool { return aa.State == AAFailed }); i >= 0 {
			return infer.UndecidedYet, fmt.Sprintf("the A/A of %s%s failed: what differs here may be the machine; find what disturbs it and measure again", s.Label, atLevel(s.AA[i].Level))
		}
	}
	return "", ""
}

// elsewhere says that not all was measured on the host that a gate is for.
func (a *Answers) elsewhere(host string) string {
	known := slices.DeleteFunc(slices.Clone(a.Machines), func(m *results.Machine) bool { return m == nil })
	for _, m := range known {
		if host != "" && m.Host != host {
			return fmt.Sprintf("it was measured on %s, and the gate judges figures of %s only", m.Host, host)
		}
	}
	return prose.If(host != "" && len(known) == 0, "where it was measured is not known, and the gate judges figures of %s only", host)
}

// conclude sums the cells up. Why, with its verdict, is what keeps all of them
// from being judged; it is "" when nothing does.
func (g *GateAnswer) conclude(instead infer.Judgement, why string) {
	if why != "" {
		g.Verdict, g.Sentence = instead, prose.Say(instead.Word(), why)
		return
	}
	labels := map[infer.Judgement][]string{}
	var caveats []infer.Caveat
	for _, c := range g.Cells {
		labels[c.Verdict] = append(labels[c.Verdict], c.Label)
		caveats = append(caveats, c.Caveats...)
	}
	than := fmt.Sprintf("worse than %s by more than %s", g.Gate.Reference, figure.Level(g.Gate.WorseBy))
	some := func(v infer.Judgement) string {
		return fmt.Sprintf("%d of %s", len(labels[v]), figure.Plural(len(g.Cells), "cell", "cells"))
	}
	first := func(v infer.Judgement) string { return prose.First(labels[v], named, ", ", " and %s more") }
	switch {
	case labels[infer.Regression] != nil:
		g.Verdict = infer.Regression
		g.Sentence = prose.Say(g.Verdict.Word(), some(g.Verdict)+" shown to be "+than+": "+first(g.Verdict))
	case labels[infer.NotJudged] != nil:
		g.Verdict = infer.NotJudged
		g.Sentence = Sentence{Rest: "no answer about " + some(g.Verdict) + ": " + first(g.Verdict)}
	case labels[infer.UndecidedYet] != nil:
		g.Verdict = infer.UndecidedYet
		g.Sentence = prose.Say(g.Verdict.Word(), some(g.Verdict)+" may or may not be "+than+": "+first(g.Verdict))
	default:
		g.Verdict = infer.Passed
		g.Sentence = prose.Say(g.Verdict.Word(), fmt.Sprintf("none of %s is %s", figure.Plural(len(g.Cells), "cell", "cells"), than))
		unseen := prose.Unseen(caveats)
		g.Sentence.Rest += prose.If(unseen != "", "; %s", unseen)
	}
}

package analysis

import (
	"fmt"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/results"
)

// sentence says the verdict on a cell in words.
func (k *keeper) sentence(g *GateCell, ref *results.Cell, why string) Sentence {
	allowed := figure.Level(k.gate.WorseBy)
	s := Sentence{Opening: string(g.Verdict)}
	switch g.Verdict {
	case infer.Regression:
		s.Rest = fmt.Sprintf("%s is %s than %s, at least %s; allowed is %s", g.Label, Worsening(g.Ratio.Value), ref.Label(), Worsening(g.Low), allowed)
	case infer.Passed:
		s.Rest = fmt.Sprintf("%s is %s than %s, at most %s; allowed is %s", g.Label, Worsening(g.Ratio.Value), ref.Label(), Worsening(g.High), allowed)
	case infer.UndecidedYet:
		s.Rest = fmt.Sprintf("%s is %s than %s, between %s and %s; allowed is %s", g.Label, Worsening(g.Ratio.Value), ref.Label(), Worsening(g.Low), Worsening(g.High), allowed)
		if g.Detectable != nil {
			s.Rest += "; such blocks show a worsening of " + figure.Percent(*g.Detectable) + " four times in five"
		}
	default:
		return noAnswer(why)
	}
	if len(g.Marks) > 0 {
		s.Rest += "; mind: " + strings.Join(g.Marks, ", ")
	}
	return s
}

// Worsening says a ratio of which more than 1 is worse: 5.1 % worse.
func Worsening(ratio float64) string {
	if ratio < 1 {
		return figure.Percent(1-ratio) + " better"
	}
	return figure.Percent(ratio-1) + " worse"
}

// conclude sums the cells up. Why, with its verdict, is what keeps all of them
// from being judged; it is "" when nothing does.
func (g *GateAnswer) conclude(verdict infer.Judgement, why string) {
	if why != "" {
		g.Verdict, g.Sentence = verdict, Sentence{string(verdict), why}
		return
	}
	labels := map[infer.Judgement][]string{}
	for _, c := range g.Cells {
		labels[c.Verdict] = append(labels[c.Verdict], c.Label)
	}
	cells := figure.Plural(len(g.Cells), "cell", "cells")
	than := fmt.Sprintf("worse than %s by more than %s", g.Gate.Reference, figure.Level(g.Gate.WorseBy))
	switch worse, none, open := labels[infer.Regression], labels[infer.NotJudged], labels[infer.UndecidedYet]; {
	case len(worse) > 0:
		g.Verdict, g.Sentence = infer.Regression, Sentence{string(infer.Regression), fmt.Sprintf("%d of %s shown to be %s: %s", len(worse), cells, than, firstOf(worse))}
	case len(none) > 0:
		g.Verdict, g.Sentence = infer.NotJudged, Sentence{Rest: fmt.Sprintf("no answer about %d of %s: %s", len(none), cells, firstOf(none))}
	case len(open) > 0:
		g.Verdict, g.Sentence = infer.UndecidedYet, Sentence{string(infer.UndecidedYet), fmt.Sprintf("%d of %s may or may not be %s: %s", len(open), cells, than, firstOf(open))}
	default:
		g.Verdict, g.Sentence = infer.Passed, Sentence{string(infer.Passed), fmt.Sprintf("none of %s is %s", cells, than) + g.unseen()}
	}
}

// unseen says what the cell with the fewest invocations may have missed, once for
// all of them.
func (g *GateAnswer) unseen() string {
	var all []infer.Caveat
	for _, c := range g.Cells {
		all = append(all, c.Caveats...)
	}
	if text := unseenBy(all); text != "" {
		return "; " + text
	}
	return ""
}

// unseenBy puts the widest of the caveats about unseen modes into words.
func unseenBy(all []infer.Caveat) string {
	var fewest *infer.Caveat
	for i, c := range all {
		if c.Kind == infer.CaveatUnseen && (fewest == nil || c.N < fewest.N) {
			fewest = &all[i]
		}
	}
	if fewest == nil {
		return ""
	}
	return unseenText(*fewest)
}

// unseenText is the caveat of a claim that rests on few JVMs.
func unseenText(c infer.Caveat) string {
	return fmt.Sprintf("%s: a mode that fewer than one in %.0f falls into may have gone unseen", figure.Plural(c.N, "JVM", "JVMs"), 1/c.Value)
}

// firstOf names the first of many.
func firstOf(labels []string) string {
	text := strings.Join(labels[:min(named, len(labels))], ", ")
	if more := len(labels) - named; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

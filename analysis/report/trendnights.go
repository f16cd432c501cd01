package report

import (
	"math"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/stats"
)

// noiseFacts say what a series' nights differ by, and what could be found.
func noiseFacts(s *history.Series) []string {
	var facts []string
	if s.Noise > 0 {
		facts = append(facts, "nights of the present level differ by "+figure.Percent(math.Expm1(s.Noise))+" (standard deviation)")
	}
	if s.Floor > 0 {
		facts = append(facts, "two equal baselines by "+figure.Percent(math.Expm1(s.Floor))+" (the noise floor)")
	}
	if s.Detectable > 0 {
		facts = append(facts, "one night alone shows a change of "+figure.Percent(s.Detectable)+" four times in five")
	}
	if len(s.Nights) > 2 && s.Lag1 != 0 {
		facts = append(facts, "neighbouring nights correlate by "+strconv.FormatFloat(s.Lag1, 'f', 2, 64))
	}
	return facts
}

func levelTexts(s *history.Series) []trendLevelText {
	var all []trendLevelText
	for _, g := range s.Segments {
		if g.First < 0 || g.Last >= len(s.Nights) || g.First > g.Last {
			continue
		}
		nights, sd := g.Last-g.First+1, "–" // one night tells of no other
		if nights > 1 {
			sd = figure.Percent(math.Expm1(g.SD))
		}
		all = append(all, trendLevelText{
			From: nightDay(&s.Nights[g.First]), To: nightDay(&s.Nights[g.Last]), Nights: strconv.Itoa(nights),
			Ratio: ratioText(g.Mean), SD: sd,
		})
	}
	return all
}

// nightTexts are the nights of a series, newest first.
func nightTexts(s *history.Series, halves []float64) []nightText {
	var values []float64
	for i := range s.Nights {
		values = append(values, s.Nights[i].Raw, s.Nights[i].ReferenceRaw)
	}
	unit := figure.Fit(Clean(s.Unit), values...)
	remarks := map[int][]string{}
	for i := range s.Changes {
		c := &s.Changes[i]
		remarks[c.Night] = append(remarks[c.Night], changeLetter(i)+": "+stateText(s, c))
	}
	all := make([]nightText, 0, len(s.Nights))
	for i := len(s.Nights) - 1; i >= 0; i-- {
		n := &s.Nights[i]
		all = append(all, nightText{
			Day: nightDay(n), Ratio: ratioText(n.Log), Half: halfText(halves[i]),
			Raw: unit.WithUnit(unit.Number(n.Raw)), Base: unit.WithUnit(unit.Number(n.ReferenceRaw)),
			Commit: shortCommit(n.Commit), Remark: Clean(strings.Join(append(remarks[i], n.Marks...), "; ")),
		})
	}
	return all
}

func ratioText(log float64) string { return figure.Ratio(math.Exp(log)) }

func halfText(half float64) string { return "± " + figure.Percent(math.Expm1(half)) }

// halfWidths remember the quantiles of t by degrees of freedom, which most
// nights have in common.
type halfWidths map[float64]float64

// of is half of a night's 95 % interval, as a logarithm; 0 where the night has
// none.
func (h halfWidths) of(n *history.Night) float64 {
	if !(n.SE > 0) || !(n.DF > 0) {
		return 0
	}
	t, known := h[n.DF]
	if !known {
		t = stats.TQuantile(0.025, n.DF)
		h[n.DF] = t
	}
	return t * n.SE
}

package report

import (
	"math"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
)

// payoff is one swap and when it pays for itself.
type payoff struct {
	analysis.BreakEven
	Title        string
	Pays         shown // after so many calls
	Price, Saved shown
	Off          shown // what the switchable one costs per call while it is off
}

func newPayoffs(a *analysis.Answers) []payoff {
	var all []payoff
	for _, b := range a.BreakEvens {
		title := b.Swapped + " instead of " + b.Switchable
		if b.Level != "" {
			title += ", " + b.Level
		}
		all = append(all, payoff{b, title, payingCalls(b), showQuantity(b.Price, "ns"), showDifference(b.Saved, "ns"), showDifference(b.Off, "ns")})
	}
	return all
}

// payingCalls is after how many calls a swap has paid for itself, 1,020,000
// (764,000 … 1,630,000); the upper end may be never.
func payingCalls(b analysis.BreakEven) shown {
	switch {
	case b.Verdict == analysis.PaysUndecided || b.Verdict == analysis.PaysNever:
		return shown{Value: string(b.Verdict)}
	case b.Low == nil:
		return shown{Value: "not known"}
	case b.Calls == nil:
		return shown{Value: "possibly never", Interval: wholeNumber(*b.Low) + " at the least"}
	}
	high := "possibly never"
	if b.High != nil {
		high = wholeNumber(*b.High)
	}
	return shown{wholeNumber(*b.Calls), wholeNumber(*b.Low) + " … " + high}
}

// wholeNumber writes a number of things to three significant digits, or as it
// is where it has no more.
func wholeNumber(v float64) string {
	if math.Abs(v) >= 1e15 {
		return figure.Ratio(v)
	}
	if p := math.Pow(10, math.Floor(math.Log10(max(1, math.Abs(v))))-2); p > 1 {
		v = math.Round(v/p) * p
	}
	return figure.Count(int64(math.Round(v)))
}

const payoffTitle = "When does swapping pay?"

// payoffs prints after how many calls each swap pays for itself.
func (p *printer) payoffs(a *analysis.Answers) {
	found := newPayoffs(a)
	if len(found) == 0 {
		return
	}
	p.print(plain, "")
	p.wrapped(bold, payoffTitle+"  ", "a swapped-in probe is paid for once, a switchable one at every call")
	for _, b := range found {
		p.wrapped(bold, "  ", b.Title)
		p.wrapped(plain, "    ", b.Text)
		if details := b.details(); details != "" {
			p.wrapped(dim, "    ", details)
		}
	}
}

func (b payoff) details() string {
	var parts []string
	if b.Price.Value != "" {
		parts = append(parts, "price "+b.Price.String()+" once: "+strings.Join(b.Parts, " + ")+", scenario "+b.SwapScenario)
	}
	if b.Saved.Value != "" {
		parts = append(parts, "saved per call "+b.Saved.String()+", scenario "+b.CostScenario)
	}
	if b.Off.Value != "" {
		parts = append(parts, "switched off, "+b.Switchable+" costs "+b.Off.String()+" per call")
	}
	return strings.Join(parts, " · ")
}

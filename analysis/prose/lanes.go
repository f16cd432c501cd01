package prose

import (
	"moobench/analysis/figure"
	"moobench/analysis/infer"
)

// LanesAtOnce says how lanes of one machine affect each other, by a judgement on all cells.
func LanesAtOnce(j infer.Judgement) string {
	switch j {
	case infer.Same:
		return "they leave each other alone"
	case infer.Changed:
		return "they disturb each other"
	}
	return "it is not shown that they leave each other alone"
}

// Over formats a ratio's excess over 1 in per cent, with its interval if it has one: +4.9 % (+4.3 % … +5.4 %).
func Over(ratio *infer.Estimate) string {
	text := figure.SignedPercent(ratio.Value - 1)
	if i := ratio.Interval; i != nil {
		text += " (" + figure.SignedPercent(i.Low-1) + " … " + figure.SignedPercent(i.High-1) + ")"
	}
	return text
}

package prose

import (
	"fmt"

	"moobench/analysis/figure"
)

// PlusMinus says half of an interval as a share, and at standard speed where it is another
// number there; 0 is not known.
func PlusMinus(ran, standard float64) string {
	text, there := "± "+figure.Percent(ran), "± "+figure.Percent(standard)
	return text + If(standard > 0 && there != text, " (%s at standard speed)", there)
}

// Takes says how many blocks make half of an interval at most a share: as it ran, and at
// standard speed where there is one. 0 blocks say that no number does. took says how long so
// many blocks take, "" where that is not known.
func Takes(share float64, ran, standard int, hasStandard bool, took func(blocks int) string) string {
	goal := "± " + figure.Level(share)
	say := func(blocks int) string {
		count := figure.Plural(blocks, "block", "blocks")
		if t := took(blocks); t != "" {
			return fmt.Sprintf("in %s (%s)", t, count)
		}
		return "with " + count
	}
	switch {
	case ran == 0:
		return "no number of blocks reaches " + goal
	case !hasStandard || standard == ran:
		return goal + " " + say(ran)
	case standard == 0:
		return fmt.Sprintf("%s %s, which no number of blocks reaches at standard speed", goal, say(ran))
	}
	return fmt.Sprintf("%s %s, at standard speed %s", goal, say(ran), say(standard))
}

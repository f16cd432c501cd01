package prose

import (
	"fmt"

	"moobench/analysis/figure"
)

// PlusMinus formats a half-width as a share, and at standard speed if that is another number; a standard of 0
// is unknown.
func PlusMinus(ran, standard float64) string {
	text, there := "± "+figure.Percent(ran), "± "+figure.Percent(standard)
	return text + If(standard > 0 && there != text, " (%s at standard speed)", there)
}

// Takes says how many blocks bring a half-width down to a share: as it ran and, if there is one, at standard
// speed. 0 blocks mean that no number does. took formats the time for a number of blocks, "" if unknown.
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

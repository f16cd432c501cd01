package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/compare"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/results"
)

// legend explains the numbers of a table.
func (b comparedMetric) legend() []string {
	family := 1
	for _, r := range b.m.Rows {
		for _, change := range r.Changes {
			if r.Role == results.RoleVariant {
				family = max(family, change.Family)
			}
		}
	}
	columns, changes := "old, new", "change: with its "
	if len(b.c.Campaigns) > 2 {
		columns, changes = b.c.Campaigns[0].Title, "the others: how they differ from that, each with its "
	}
	costs := columns + ": costs over each campaign's own baseline" +
		textIf(b.executions != "", ", of one monitored execution") +
		"; " + changes + figure.Level(b.c.Confidence) + " interval" +
		textIf(family > 1, fmt.Sprintf(", simultaneous (all %d)", family))
	return prose.NonEmpty(
		costs, b.quantileLegend(), b.meansLegend(), b.speedLegend(), b.differsLegend(), b.nightsLegend(),
		prefixed("also, as the report of each campaign says: ", strings.Join(b.remarks(), ", ")),
	)
}

// quantileLegend explains a quantile of campaigns; "" for means.
func (b comparedMetric) quantileLegend() string {
	return textIf(b.m.Quantile != "", "the "+b.m.Quantile+" of each run’s "+cmp.Or(sampled(b.m.Metric), "sample")+
		"s as they were timed, averaged over the runs; waiting for other programs is not taken out of it")
}

// meansLegend explains rows of means; "" without one.
func (b comparedMetric) meansLegend() string {
	text := "(" + b.statistic() + "): the " + b.statistic() + prefixed(" of a ", sampled(b.m.Metric)) +
		" itself, not a cost over a baseline"
	if len(atOneSpeed(b.m)) == 0 {
		text += "; it includes the state of the machine"
	}
	return textIf(slices.ContainsFunc(b.m.Rows, func(r compare.Row) bool { return isMean(&r) }), text)
}

// leveled is a change with the level of its row.
type leveled struct {
	compare.Change
	level string
}

// atOneSpeed are the changes of a metric that were computed at one speed of the CPU.
func atOneSpeed(m *compare.Metric) []leveled {
	var all []leveled
	for _, r := range m.Rows {
		for _, c := range r.Changes {
			if c.OneSpeed != nil {
				all = append(all, leveled{c, r.Level})
			}
		}
	}
	return all
}

// speedLegend says at which speed of the CPU campaigns are compared, if their own speeds differ, or that times
// could not be carried to one; else "".
func (b comparedMetric) speedLegend() string {
	at := atOneSpeed(b.m)
	if len(at) == 0 {
		carried := slices.ContainsFunc(b.s.Metrics, func(m compare.Metric) bool { return len(atOneSpeed(&m)) > 0 })
		return textIf(carried && b.m.Metric.Unit == "ns",
			"not adjusted for the speed of the CPU: each campaign is at the speed of its hour")
	}
	unlike := prose.Unique(prose.NonEmpty(each(at, ranAt)...))
	if len(unlike) > len(b.c.Campaigns)-1 { // cells with more CPUs, say, have another speed
		unlike = prose.Unique(prose.NonEmpty(each(at, func(c leveled) string {
			return textIf(ranAt(c) != "", ranAt(c)+prefixed(" at ", c.level))
		})...))
	}
	of := textIf(len(b.c.Campaigns) > 2, "; the column of "+b.c.Campaigns[0].Title+", and all means, are at their own")
	return prefixed("at one speed of the CPU (", textIf(len(unlike) > 0, strings.Join(unlike, ", ")+")"+of))
}

// alikeSpeeds is the relative difference from which speeds of the CPU are called different.
const alikeSpeeds = 0.01

// ranAt says how fast the CPU was in a campaign compared with the first one; "" if they are alike.
func ranAt(c leveled) string {
	slower := c.OneSpeed.Slower()
	return textIf(math.Abs(slower) >= alikeSpeeds, c.Campaign+" ran "+prose.Slower(slower))
}

// differsLegend explains a difference that is neither worse nor better; "" without one.
func (b comparedMetric) differsLegend() string {
	if b.m.Count(infer.Differs) == 0 {
		return ""
	}
	between := 0.0
	for _, c := range atOneSpeed(b.m) {
		between = max(between, c.OneSpeed.Between)
	}
	text := "unconfirmed: the two campaigns differ"
	if between > 0 {
		text += ", at one speed of the CPU, by more than the " + figure.Percent(between) +
			" that campaigns are taken to differ by chance"
	} else {
		text += " by more than their own blocks do; the variation between campaigns is not in it"
	}
	return text + textIf(b.m.Quantile == "",
		"; a history knows that of this machine, and with it worse or better can be said")
}

// nightsLegend says how much nights differ, if that is in the intervals; else "".
func (b comparedMetric) nightsLegend() string {
	var nights []string
	for _, r := range b.m.Rows {
		for _, change := range r.Changes {
			n := change.Between
			if n == nil {
				continue
			}
			sd := figure.Percent(n.SD)
			if !change.Relative {
				sd = figure.Quantity(n.SD/b.per(&r), b.m.Metric.Unit)
			}
			nights = append(nights, fmt.Sprintf(
				"%s (sd %s over %s)", r.Cell, sd, figure.Plural(n.Nights, "night", "nights")))
		}
	}
	return prefixed("the variation between nights is in the intervals of ", strings.Join(prose.Unique(nights), ", "))
}

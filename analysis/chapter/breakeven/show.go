package breakeven

import (
	"strings"

	"moobench/analysis/chapter"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// Show says after how many calls each swap pays for itself.
func (all Answers) Show(*chapter.Scene) []doc.Block {
	part := func(before string, c doc.Cell, after string) string {
		return prose.If(c.Text != "", "%s%s%s", before, c, after)
	}
	e := &doc.Entries{}
	for _, b := range all {
		details := prose.NonEmpty(
			part("price ", doc.Quantity(b.Price, "ns"),
				" once: "+strings.Join(b.Parts, " + ")+", scenario "+b.SwapScenario),
			part("saved per call ", doc.Difference(b.Saved, "ns"), ", scenario "+b.CostScenario),
			part("switched off, "+b.Switchable+" costs ", doc.Difference(b.Off, "ns"), " per call"))
		title := b.Swapped + " instead of " + b.Switchable + prose.If(b.Level != "", ", %s", b.Level)
		e.Items = append(e.Items, doc.Entry{Term: title, Tone: doc.Strong, Items: []doc.Paragraph{
			{Text: b.Text},
			{Text: strings.Join(details, " · "), Tone: doc.Soft, Depth: doc.Full},
		}})
	}
	about := "a swapped-in probe is paid for once, a switchable one at every call"
	return []doc.Block{&doc.Section{
		ID: "break-even", Title: "When does swapping pay?", About: about, Blocks: []doc.Block{e},
	}}
}

// Rows has the number of calls after which each swap has paid for itself.
func (all Answers) Rows(*chapter.Scene) []rows.Row {
	var found []rows.Row
	for _, b := range all {
		if b.Calls == nil || b.Price == nil || b.Saved == nil {
			continue
		}
		e := &infer.Estimate{N: min(b.Price.N, b.Saved.N), Value: *b.Calls}
		if b.Low != nil && b.High != nil {
			e.Interval = &infer.Interval{Low: *b.Low, High: *b.High, Level: b.Confidence}
		}
		found = append(found, rows.Row{
			Key: rows.Key{
				Scenario: b.CostScenario, Label: strings.TrimSpace(b.Swapped + " " + b.Level),
				Variant: b.Swapped, Level: b.Level, Role: results.RoleVariant,
			},
			Metric:    &results.Metric{Name: "calls", Unit: "1", Better: results.Lower},
			Statistic: "until_break_even",
			About:     "calls after which swapping has paid for itself, against " + b.Switchable,
			Unit:      "1",
			Estimate:  e,
		})
	}
	return found
}

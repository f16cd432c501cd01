package nightly

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/console"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

// Imported holds nights that another tool measured.
type Imported struct {
	History string
	Name    string // name of the campaign that they become
	Tool    string // version of moobench
	Nights  *importer.Nights
}

// unknownMachine is the machine of nights that don't name theirs. Nights with a CPU model belong to
// any machine with that CPU.
const unknownMachine = "unknown"

// Add adds the nights to the history, and prints how many were added, which were left out, and the
// next step.
func (i Imported) Add(c console.Console) error {
	records := results.Each(i.Nights.All, func(n importer.Night) history.Record {
		night := i.night(n)
		return history.Record{Kind: history.KindNight, Night: &night}
	})
	alone := false // some night has no reference
	for _, n := range i.Nights.All {
		alone = alone || n.Alone
	}
	for _, text := range i.Nights.LeftOut {
		c.Warn(refusal.Visible(text), "")
	}
	fresh, err := history.Append(i.History, records...)
	if err != nil {
		return err
	}
	if alone {
		c.Warn("values are as measured: they include what the machine does from night to night",
			"name what was measured with them: --baseline")
	}
	ids := map[string]bool{}
	for _, r := range records {
		ids[r.Night.ID] = true
	}
	file := doc.Clean(i.History)
	nights := figure.Plural(len(ids), "night", "nights") + " of " + i.Nights.Source
	there := ""
	if n := len(records) - fresh; n > 0 {
		there = fmt.Sprintf("; %s there already", figure.Plural(n, "was", "were"))
	}
	fmt.Fprintf(c.Out, "added %s of %s to %s%s\n", figure.Plural(fresh, "row", "rows"), nights, file, there)
	where := ""
	if i.History != HistoryFile {
		where = " --history " + file
	}
	fmt.Fprintf(c.Out, "next: moobench history show%s; moobench history rehearse%s\n", where, where)
	return nil
}

// night converts a night for the history. It has no standard error, because its blocks, if any, are
// unknown.
func (i Imported) night(n importer.Night) history.Night {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d %q",
		i.Nights.Source, i.Name, n.Suite, n.When.UnixNano(), n.Commit))
	night := history.Night{
		Key: history.Key{
			Campaign: i.Name, Scenario: n.Suite, Cell: n.Cell, Metric: n.Metric.Name,
			Reference: n.Reference, Machine: unknownMachine,
		},
		ID:   n.When.UTC().Format("2006-01-02T1504Z") + "-" + hex.EncodeToString(sum[:4]),
		When: n.When.UTC(), Commit: n.Commit, Folder: i.Name, Plan: "imported " + n.Metric.Unit,
		Tool: i.Tool, Source: i.Nights.Source, Unit: n.Metric.Unit, Better: n.Metric.Better,
		Log: math.Log(n.Value / n.ReferenceValue), N: 1, Raw: n.Value, ReferenceRaw: n.ReferenceValue,
	}
	if n.CPU != "" {
		night.Pool, night.CPU = i.Nights.Source, n.CPU
	}
	return night
}

// Package jmh reads the result files that JMH, the Java Microbenchmark Harness,
// writes with -rf json.
//
// Each fork is a JVM, and so an invocation; its value is the mean over its
// iterations, which stand beside it as samples. JMH has done the warm-up
// before: nothing of it is in the file. How many operations an iteration made is
// not recorded either, so there are no quantiles of operations.
package jmh

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

// Tool is what an imported campaign names as its source.
const Tool = "JMH"

// Source is a result file. With a Variant all benchmarks in it are of that one.
type Source struct{ Variant, Path string }

// Options are what an import leaves to choose.
type Options struct {
	// By is the parameter whose values are the variants; "" is none.
	By string
	// Mode is the only one that is imported: thrpt, avgt, sample, ss; "" is all.
	Mode string
	// Baseline is the variant that others are compared with, "" the first.
	Baseline string
}

// Import makes a campaign in dir, which must be new or empty, of JMH's result
// files: an invocation for each fork. The variant of a benchmark is that of its
// file, or the value of the parameter By, or else its own name; benchmarks,
// parameters, threads that differ otherwise are factors. Of the rest of the
// header only Name, Created and Versions are taken from made. The campaign is
// there whole or not at all. What is wrong in the files is in one
// *importer.Mistakes. It ends when ctx is done.
func Import(ctx context.Context, dir string, made results.Campaign, sources []Source, o Options) (*results.Store, error) {
	mistakes := &importer.Mistakes{}
	var all []*entry
	for _, s := range sources {
		list, err := readFile(ctx, s.Path, mistakes)
		if err != nil {
			return nil, err
		}
		for _, b := range list {
			if o.Mode == "" || o.Mode == b.Mode {
				all = append(all, &entry{benchmark: b, variant: s.Variant})
			}
		}
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, importer.Refuse("no benchmark has the mode %q", o.Mode)
	}
	if err := sameQuantity(all); err != nil {
		return nil, err
	}
	c, err := newCampaign(made, all, o)
	if err != nil {
		return nil, err
	}
	return importer.Campaign(dir, c, func(store *results.Store) error { return fill(ctx, store, all) })
}

// entry is a benchmark, and where it belongs.
type entry struct {
	*benchmark
	variant string
	cell    string
}

// sameQuantity makes sure that one table can hold all scores.
func sameQuantity(all []*entry) error {
	mistakes, first := &importer.Mistakes{}, all[0]
	var modes []string
	others := map[string]string{} // secondary metric → unit
	for _, e := range all {
		if !slices.Contains(modes, e.Mode) {
			modes = append(modes, e.Mode)
		}
		if e.Mode != first.Mode || quantityOf(e.Primary.Unit).unit != quantityOf(first.Primary.Unit).unit {
			mistakes.Add(e.file, e.line, "%s is in %s of mode %s, and %s before it in %s of mode %s: one table can't hold both",
				e.Name, e.Primary.Unit, e.Mode, first.Name, first.Primary.Unit, first.Mode)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(e.Secondary)) {
			unit := quantityOf(e.Secondary[name].Unit).unit
			if known, ok := others[secondaryName(name)]; ok && known != unit {
				mistakes.Add(e.file, e.line, "%s of %s is in %s, and before it in %s", name, e.Name, unit, known)
			}
			others[secondaryName(name)] = unit
		}
	}
	err := mistakes.Err()
	if err != nil && len(modes) > 1 {
		return refusal.New(err, "import one mode at a time: --mode "+importer.Visible(strings.Join(modes, ", or --mode ")))
	}
	return err
}

// fill adds an invocation for each fork.
func fill(ctx context.Context, store *results.Store, all []*entry) error {
	slot := 0
	for _, e := range all {
		for fork := range e.Primary.forks() {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("importing: %w", err)
			}
			inv, samples, err := e.invocation(fork)
			if err != nil {
				return err
			}
			if err := importer.Seal(store, results.Identity{Block: 1, Slot: slot}, inv, samples); err != nil {
				return fmt.Errorf("importing %s: %w", e.file, err)
			}
			slot++
		}
	}
	return nil
}

// perSample is how finely the scores of iterations are kept as whole numbers:
// in millionths of their unit. The scalars, which answers are taken from, are
// not rounded.
const perSample = 1e6

// invocation is one fork.
func (e *entry) invocation(fork int) (*results.Invocation, importer.Samples, error) {
	scores := e.Primary.forks()[fork]
	q := quantityOf(e.Primary.Unit)
	inv := &results.Invocation{
		Cell: e.cell, Profile: results.ProfileTiming, Status: results.StatusOK, Runtime: e.runtime(),
		Scalars: e.scalars(fork),
	}
	if n := e.Primary.lost(fork); n > 0 {
		inv.Warnings = append(inv.Warnings, fmt.Sprintf("%d iterations have no score: they are left out", n))
	}
	values := make([]int64, len(scores))
	for i, s := range scores {
		x := math.Round(s * q.factor * perSample)
		if math.Abs(x) >= math.MaxInt64 {
			mistakes := &importer.Mistakes{}
			mistakes.Add(e.file, e.line, "the score %v %s of %s is too large", s, e.Primary.Unit, e.Name)
			return nil, importer.Samples{}, mistakes
		}
		values[i] = int64(x)
	}
	return inv, importer.Samples{
		Series: results.Series{Name: seriesIteration, Batch: 1, Columns: []results.Column{{Name: columnScore, Unit: millionth(q.unit), Kind: results.KindCount}}},
		Values: [][]int64{values},
	}, nil
}

// millionth names a millionth of a unit: that of a ns has a name.
func millionth(unit string) string {
	if unit == "ns" {
		return "fs"
	}
	return "1e-6*" + strings.Join(strings.FieldsFunc(unit, func(c rune) bool { return strings.ContainsRune(" \t\r\n,:\"", c) }), "_")
}

// runtime is the build of the JVM as far as the file knows it.
func (e *entry) runtime() string {
	if e.VMVersion != "" {
		return e.VMVersion
	}
	return e.JDK
}

// scalars are the means over the iterations of a fork: the score, and whatever
// else was measured of each fork.
func (e *entry) scalars(fork int) map[string]float64 {
	found := map[string]float64{}
	for name, m := range e.Secondary {
		if forks := m.forks(); fork < len(forks) && len(forks[fork]) > 0 {
			found[secondaryName(name)] = mean(forks[fork]) * quantityOf(m.Unit).factor
		}
	}
	found[metricScore(quantityOf(e.Primary.Unit))] = mean(e.Primary.forks()[fork]) * quantityOf(e.Primary.Unit).factor
	return found
}

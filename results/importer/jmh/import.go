// Package jmh reads the result files that JMH, the Java Microbenchmark Harness,
// writes with -rf json.
//
// Each fork is a JVM, and so an invocation; its value is the mean over its iterations,
// which are kept as samples. The warm-up is not in the file, nor is the number of
// operations of an iteration, so that there are no quantiles of operations.
package jmh

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/montanaflynn/stats"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

// tool is the source that an imported campaign names.
const tool = "JMH"

// Format reads JMH's result files.
func Format() importer.Format {
	return importer.Format{
		Name: "jmh", Paths: []string{"*.json"}, Options: []string{"variant", "by", "mode"}, Import: importFiles,
		About: `*.json of JMH (-rf json): each fork is an invocation. The variant
is the file's (--variant), a parameter's value (--by), or else the
benchmark; other parameters are factors`,
	}
}

// importFiles makes a campaign of JMH's result files: an invocation for each fork. The
// variant of a benchmark is that of its file, or the value of the parameter r.By, or
// else its own name; other differences in benchmark, parameters and threads are
// factors. All mistakes in the files are in one *refusal.Mistakes. It ends when ctx is
// done.
func importFiles(ctx context.Context, r importer.Request) (*results.Store, error) {
	mistakes := &refusal.Mistakes{}
	var all []*benchmark
	err := r.ReadFiles(ctx, importer.Bound{Bytes: sizeMost, Tool: tool}, mistakes, func(file importer.File, in io.Reader) error {
		data, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		for _, b := range read(file.Path, data, mistakes) {
			if b.variant = file.Variant; r.Mode == "" || r.Mode == b.Mode {
				all = append(all, b)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, refusal.Mistake("no benchmark has the mode %q", r.Mode)
	}
	if err := sameQuantity(all); err != nil {
		return nil, err
	}
	b, err := newCampaign(r, all)
	if err != nil {
		return nil, err
	}
	return b.Make(func() error {
		slot := 0
		for _, e := range all {
			for fork := range e.Primary.forks {
				inv, samples, err := e.invocation(fork)
				if err != nil {
					return err
				}
				if err := b.Add(ctx, results.Identity{Block: 1, Slot: slot}, inv, samples); err != nil {
					return fmt.Errorf("importing %s: %w", e.file, err)
				}
				slot++
			}
		}
		return nil
	})
}

// sameQuantity returns an error unless one table can hold all scores.
func sameQuantity(all []*benchmark) error {
	mistakes, first := &refusal.Mistakes{}, all[0]
	var modes []string
	others := map[string]string{} // secondary metric → unit
	for _, b := range all {
		if !slices.Contains(modes, b.Mode) {
			modes = append(modes, b.Mode)
		}
		if b.Mode != first.Mode || quantityOf(b.Primary.Unit).unit != quantityOf(first.Primary.Unit).unit {
			mistakes.At(b.file, b.line, "%s is in %s of mode %s, and %s before it in %s of mode %s: one table can't hold both",
				b.Name, b.Primary.Unit, b.Mode, first.Name, first.Primary.Unit, first.Mode)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(b.Secondary)) {
			unit := quantityOf(b.Secondary[name].Unit).unit
			if known, ok := others[secondaryName(name)]; ok && known != unit {
				mistakes.At(b.file, b.line, "%s of %s is in %s, and before it in %s", name, b.Name, unit, known)
			}
			others[secondaryName(name)] = unit
		}
	}
	err := mistakes.Err()
	if err != nil && len(modes) > 1 {
		return refusal.New(err, "import one mode at a time: --mode "+refusal.Visible(strings.Join(modes, ", or --mode ")))
	}
	return err
}

// perSample is the resolution of the scores of iterations, which are kept as whole
// numbers: millionths of their unit. The scalars, which answers come from, are not
// rounded.
const perSample = 1e6

// invocation returns a fork: the means over its iterations of the score and of the
// secondary metrics, and the scores as samples.
func (b *benchmark) invocation(fork int) (*results.Invocation, importer.Samples, error) {
	scores, q := b.Primary.forks[fork], quantityOf(b.Primary.Unit)
	inv := &results.Invocation{Cell: b.cell, Runtime: cmp.Or(b.VMVersion, b.JDK), Scalars: map[string]float64{}}
	for name, m := range b.Secondary {
		if fork < len(m.forks) && len(m.forks[fork]) > 0 {
			mean, _ := stats.Mean(m.forks[fork]) // it fails without values only
			inv.Scalars[secondaryName(name)] = mean * quantityOf(m.Unit).factor
		}
	}
	mean, _ := stats.Mean(scores)
	inv.Scalars[metricScore(q)] = mean * q.factor
	if n := b.Primary.lost[fork]; n > 0 {
		inv.Warnings = append(inv.Warnings, fmt.Sprintf("%d iterations have no score: they are left out", n))
	}
	values := make([]int64, len(scores))
	for i, s := range scores {
		x := math.Round(s * q.factor * perSample)
		if math.Abs(x) >= math.MaxInt64 {
			return nil, importer.Samples{}, refusal.Mistake("%s:%d: the score %v %s of %s is too large", b.file, b.line, s, b.Primary.Unit, b.Name)
		}
		values[i] = int64(x)
	}
	unit := "fs"
	if q.unit != "ns" {
		unit = "1e-6*" + strings.Join(strings.FieldsFunc(q.unit, func(c rune) bool { return strings.ContainsRune(" \t\r\n,:\"", c) }), "_")
	}
	samples := importer.Samples{Series: results.Series{Name: "iteration", Batch: 1}}
	samples.Column("score", unit, results.KindCount, values)
	return inv, samples, nil
}

// Package jmh reads the result files that JMH, the Java Microbenchmark Harness,
// writes with -rf json.
//
// Each fork is a JVM, and so an invocation; its value is the mean over its iterations, which are kept as
// samples. The file has neither the warm-up nor the number of operations per iteration, so that there are no
// quantiles of operations.
package jmh

import (
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

// tool is the source of an imported campaign.
const tool = "JMH"

// Format reads JMH's result files.
func Format() importer.Format {
	return importer.Format{
		Name: "jmh", Paths: []string{"*.json"}, Import: importFiles,
		Options: []string{"variant", "by", "mode", "secrets"},
		About: `*.json of JMH (-rf json): each fork is an invocation. The variant
is the file's (--variant), a parameter's value (--by), or else the
benchmark; other parameters are factors, as are JDK, JVM options,
warm-up and batch where they differ`,
	}
}

// importFiles makes a campaign of JMH's result files, with an invocation for each fork. The variant of a
// benchmark is its file's, or the value of the parameter r.By, or its own name; other differences in benchmark,
// parameters and threads are factors. All mistakes in the files are in one *refusal.Mistakes. It stops when ctx
// is done.
func importFiles(ctx context.Context, r importer.Request) (*results.Store, error) {
	in, all := newReader(), []*benchmark(nil)
	bound := importer.Bound{Bytes: sizeMost, Tool: tool}
	err := r.ReadFiles(ctx, bound, in.mistakes, func(file importer.File, text io.Reader) error {
		data, err := io.ReadAll(text)
		if err != nil {
			return err
		}
		for _, b := range in.read(file.Path, data) {
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
	if err := in.sameQuantity(all); err != nil {
		return nil, err
	}
	b, all, err := newCampaign(r, all)
	if err != nil {
		return nil, err
	}
	b.LeaveOut(in.left.Texts()...)
	b.LeaveOut(unforked(all), missing(all), early(all))
	b.LeaveOut(unlike(all)...)
	return b.Make(func() error { return fill(ctx, b, all) })
}

// fill adds an invocation for each fork, including forks that the file announces but lacks.
func fill(ctx context.Context, b *importer.Builder, all []*benchmark) error {
	slot := 0
	for _, e := range all {
		for fork := range max(len(e.Primary.forks), e.wanted()) {
			id := results.Identity{Block: 1, Slot: slot}
			slot++
			if why := e.failed(fork); why != "" {
				failure := &results.Failure{Kind: "died", Message: why}
				inv := &results.Invocation{Cell: e.cell, Runtime: e.runtime(), Failure: failure}
				if err := b.AddFailed(ctx, id, inv); err != nil {
					return fmt.Errorf("importing %s: %w", e.file, err)
				}
				continue
			}
			inv, samples, err := e.invocation(fork)
			if err != nil {
				return err
			}
			if err := b.Add(ctx, id, inv, samples); err != nil {
				return fmt.Errorf("importing %s: %w", e.file, err)
			}
		}
	}
	return nil
}

// failed says why a fork has no result; "" if it has one.
func (b *benchmark) failed(fork int) string {
	switch forks := b.Primary.forks; {
	case fork >= len(forks):
		return fmt.Sprintf("the file says that there are %d forks, and has %d: JMH goes on after a fork that crashed",
			b.wanted(), len(forks))
	case len(forks[fork]) == 0:
		return "no iteration of the fork has a score"
	}
	return ""
}

// missing says how many forks have no result; "" if none.
func missing(all []*benchmark) string {
	var texts []string
	for _, b := range all {
		n, wanted := 0, max(len(b.Primary.forks), b.wanted())
		for fork := range wanted {
			if b.failed(fork) != "" {
				n++
			}
		}
		if n > 0 {
			texts = append(texts, fmt.Sprintf("%d of %d forks of %s", n, wanted, b.label()))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return listed(texts) + " have no result: they count as failed, and what survived may be the better ones"
}

// iterations returns the number of a fork's iterations, including those without a score.
func (b *benchmark) iterations(fork int) int {
	return len(b.Primary.forks[fork]) + b.Primary.lost[fork]
}

// early names the forks that have a score but fewer iterations than the file announces; "" without any.
func early(all []*benchmark) string {
	var texts []string
	for _, b := range all {
		for fork := range b.Primary.forks {
			if n := b.iterations(fork); b.failed(fork) == "" && n < b.Measured {
				texts = append(texts, fmt.Sprintf("fork %d of %s has %d of %d iterations",
					fork+1, b.label(), n, b.Measured))
			}
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return listed(texts) + ": what ended early may have ended for what it measured"
}

// unforked names the benchmarks that ran in JMH's own JVM; "" without any.
func unforked(all []*benchmark) string {
	var names []string
	for _, b := range all {
		if b.Forks != nil && *b.Forks == 0 {
			names = append(names, b.label())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return listed(names) + " ran without a fork, in JMH's own JVM, where those before left their traces: " +
		"run JMH with -f 5 or more"
}

// listed joins the first texts, and counts the rest.
func listed(texts []string) string {
	const most = 4
	if len(texts) <= most {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:most], ", "), len(texts)-most)
}

// sameQuantity returns an error unless one table can hold all scores. It drops a secondary metric whose unit
// differs from an earlier one's.
func (r *reader) sameQuantity(all []*benchmark) error {
	mistakes, first := &refusal.Mistakes{}, all[0]
	var modes []string
	others, told := map[string]string{}, map[string]int{} // secondary metric → unit; mode and unit → how many
	for _, b := range all {
		if !slices.Contains(modes, b.Mode) {
			modes = append(modes, b.Mode)
		}
		kind := b.Mode + " " + b.Primary.Unit
		if b.Mode != first.Mode || quantityOf(b.Primary.Unit).unit != quantityOf(first.Primary.Unit).unit {
			if told[kind]++; told[kind] == 1 {
				mistakes.At(b.file, b.line,
					"%s is in %s of mode %s, and %s before it in %s of mode %s: one table can't hold both",
					b.Name, b.Primary.Unit, b.Mode, first.Name, first.Primary.Unit, first.Mode)
			}
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(b.Secondary)) {
			unit := quantityOf(b.Secondary[name].Unit).unit
			if known, ok := others[b.secondaryName(name)]; ok && known != unit {
				what := fmt.Sprintf("%s of %s is in %s, and before it in %s", name, b.Name, unit, known)
				r.left.Add(
					"secondary metric has another unit than before", "secondary metrics have another unit than before",
					b.file, b.line, what,
				)
				delete(b.Secondary, name)
				continue
			}
			others[b.secondaryName(name)] = unit
		}
	}
	err := mistakes.Err()
	if err != nil && len(modes) > 1 {
		do := "import one mode at a time: --mode " + refusal.Visible(strings.Join(modes, ", or --mode "))
		return refusal.New(err, do)
	}
	return err
}

// perSample is the resolution of the scores of iterations, which are kept as integers: millionths of their
// unit. Answers come from the scalars, which are not rounded.
const perSample = 1e6

// invocation returns a fork: the means of the score and of the secondary metrics over its iterations, and the
// scores as samples.
func (b *benchmark) invocation(fork int) (*results.Invocation, importer.Samples, error) {
	scores, q := b.Primary.forks[fork], quantityOf(b.Primary.Unit)
	inv := &results.Invocation{Cell: b.cell, Runtime: b.runtime(), Scalars: map[string]float64{}}
	for name, m := range b.Secondary {
		if fork < len(m.forks) && len(m.forks[fork]) > 0 {
			mean, _ := stats.Mean(m.forks[fork]) // it fails only without values
			inv.Scalars[b.secondaryName(name)] = mean * quantityOf(m.Unit).factor
		}
	}
	mean, _ := stats.Mean(scores)
	inv.Scalars[metricScore(q)] = mean * q.factor
	if n := b.Primary.lost[fork]; n > 0 {
		inv.Warnings = append(inv.Warnings, fmt.Sprintf("%d iterations have no score: they are left out", n))
	}
	if n := b.iterations(fork); n < b.Measured {
		inv.Warnings = append(inv.Warnings,
			fmt.Sprintf("the fork has %d of %d iterations: it ended early", n, b.Measured))
	}
	values := make([]int64, len(scores))
	for i, s := range scores {
		x := math.Round(s * q.factor * perSample)
		if math.Abs(x) >= math.MaxInt64 {
			return nil, importer.Samples{}, refusal.Mistake("%s:%d: the score %v %s of %s is too large",
				b.file, b.line, s, b.Primary.Unit, b.Name)
		}
		values[i] = int64(x)
	}
	unit := "fs"
	if q.unit != "ns" {
		separator := func(c rune) bool { return strings.ContainsRune(" \t\r\n,:\"", c) }
		unit = "1e-6*" + strings.Join(strings.FieldsFunc(q.unit, separator), "_")
	}
	samples := importer.Samples{Series: results.Series{Name: "iteration", Batch: 1}}
	samples.Column("score", unit, results.KindCount, values)
	return inv, samples, nil
}

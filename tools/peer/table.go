package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// level is the confidence level of a single interval, and of all ratios of a run jointly.
const level = 0.95

// honest is the wanted half-width as a share of the mean.
const honest = 0.03

// slept is the number of seconds that MooBench's scripts and its Java part sleep per JVM: four times 5 s before
// the first call, 30 s after the last.
const slept = 50

// The table stands between these lines.
const (
	tableBegin = "<!-- made by make peer -->"
	tableEnd   = "<!-- until here -->"
)

// beside is a comparison of two tools' results for one variant, or for its difference from none.
type beside struct {
	ours, theirs string // tools
	variant      string
	cost         bool // its difference from none
}

func comparisons() []beside {
	var all []beside
	for _, p := range []struct {
		ours, theirs string
		variants     []string
	}{{moobench, mooBench, []string{none, kiekerAgent}}, {moobenchBatched, jmh, variants}} {
		for _, v := range p.variants {
			all = append(all, beside{p.ours, p.theirs, v, false})
		}
		for _, v := range p.variants[1:] {
			all = append(all, beside{p.ours, p.theirs, v, true})
		}
	}
	return all
}

// markdown returns the whole table.
func (f *figures) markdown() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nMeasured %s on %s, JDK %s, with %s, MooBench %s, JMH %s. %s in each cell; "+
		"%s of depth %d in a JVM of moobench and of MooBench, warm-up included; "+
		"%d + %d iterations of 1 s in a fork of JMH.\n",
		tableBegin, f.when.Format("2006-01-02"), f.machine, f.jdk,
		strings.Join(f.artifacts, ", "), f.checkout, jmhVersion(),
		figure.Plural(f.rounds, "JVM", "JVMs"), figure.Count(int64(f.calls))+" calls", f.depth, f.warmups, f.iterations)
	err := errors.Join(f.agreement(&b), f.precision(&b), f.loopCosts(&b))
	fmt.Fprintf(&b, "\n### Analysis\n\nOf MooBench's %d files above, %.0f MB, and of moobench's campaign: "+
		"wall time, CPU time and memory. R reads the last half of each file, "+
		"and its table is of the last JVM alone.\n\n```\n%s```\n\n%s\n",
		f.analysis.files, float64(f.analysis.bytes)/1e6, f.analysis.lines, tableEnd)
	return b.String(), err
}

// jmhVersion returns the version in pom.xml.
func jmhVersion() string {
	pom, err := sources.ReadFile("java/pom.xml")
	_, rest, ok := strings.Cut(string(pom), "<artifactId>jmh-core</artifactId><version>")
	if version, _, closed := strings.Cut(rest, "<"); err == nil && ok && closed {
		return version
	}
	return "of unknown version"
}

// agreement writes the estimates of two tools beside each other.
func (f *figures) agreement(b *strings.Builder) error {
	all := comparisons()
	each := infer.Level(1-level, len(all))
	fmt.Fprintf(b, "\n### Do the estimates agree?\n\nMean ± half of its %s interval over JVMs; "+
		"the ratio is over rounds, geometric, and its %d intervals hold together at %s. "+
		"Equivalent: the interval has 1 in it and ends within ± %s; "+
		"negligible difference: it ends there without 1; different: neither; "+
		"undecided: 1 is in it, and so is more than that.\n",
		figure.Level(level), len(all), figure.Level(level), figure.Percent(honest))
	last := ""
	for _, c := range all {
		if c.theirs != last {
			fmt.Fprintf(b, "\n| one call | %s | %s | %s / %s | |\n|---|---|---|---|---|\n",
				c.ours, c.theirs, c.theirs, c.ours)
		}
		last = c.theirs
		ours, theirs := f.paired(c)
		ratio, verdict := compared(theirs, ours, each)
		left, err1 := estimate(ours, "ns")
		right, err2 := estimate(theirs, "ns")
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		what := c.variant
		if c.cost {
			what += " − none"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", what, left, right, ratio, verdict)
	}
	return nil
}

// compared returns the ratio of two tools' values with its interval, and a verdict, which depends on whether
// the interval contains 1, and whether it is within honest of 1.
func compared(theirs, ours []float64, level float64) (ratio, verdict string) {
	a := infer.Solver(nil).Compare(infer.Question{Kind: infer.LogRatio, Alpha: 1 - level},
		infer.Data{X: infer.Sample{Values: theirs}, Y: infer.Sample{Values: ours}, Paired: true})
	e, why := a.Ratio, a.NoRatio
	if e != nil {
		why = e.NoInterval
	}
	if why != "" {
		return "—", "no answer: " + why
	}
	low, high := e.Interval.Low, e.Interval.High
	ratio = fmt.Sprintf("%s (%s … %s)", factor(e.Value), factor(low), factor(high))
	same, near := low <= 1 && 1 <= high, low > 1/(1+honest) && high < 1+honest
	switch {
	case near && same:
		return ratio, "equivalent"
	case near:
		return ratio, "negligible difference"
	case same:
		return ratio, "undecided"
	}
	return ratio, "different"
}

// factor formats a ratio; extreme ones become bounds.
func factor(r float64) string {
	switch {
	case r > 100:
		return "over 100"
	case r < 0.01:
		return "below 0.01"
	}
	return fmt.Sprintf("%.3f", r)
}

// paired returns the values of the rounds that both tools have.
func (f *figures) paired(c beside) (ours, theirs []float64) {
	value := func(tool string, round int) (float64, bool) {
		v, ok := f.means[column{tool, c.variant}][round]
		if !c.cost {
			return v, ok
		}
		base, okBase := f.means[column{tool, none}][round]
		return v - base, ok && okBase
	}
	for round := 1; round <= f.rounds; round++ {
		x, okX := value(c.ours, round)
		y, okY := value(c.theirs, round)
		if okX && okY {
			ours, theirs = append(ours, x), append(theirs, y)
		}
	}
	return ours, theirs
}

// estimate formats a mean with the half-width of its interval.
func estimate(values []float64, unit string) (string, error) {
	e, why := infer.Mean(values, level)
	if e != nil {
		why = e.NoInterval
	}
	if why != "" {
		return "", errors.New(why)
	}
	return figure.Quantity(e.Value, unit) + " ± " + figure.Percent((e.Interval.High-e.Value)/math.Abs(e.Value)), nil
}

// precision writes how long each tool takes until the mean's interval over JVMs is as narrow as honest.
func (f *figures) precision(b *strings.Builder) error {
	fmt.Fprintf(b, "\n### Time to an honest ± %s\n\nFrom the spread between JVMs: "+
		"so many that t(k − 1) s / √k is at most %s of the mean, one after the other.\n\n"+
		"| | one call | spread between JVMs | a JVM takes | JVMs | together |\n|---|---|---|---|---|---|\n",
		figure.Percent(honest), figure.Percent(honest))
	for _, variant := range []string{none, kiekerAgent} {
		for _, tool := range []string{moobench, moobenchBatched, mooBench, jmh} {
			c := column{tool, variant}
			values := slices.Collect(maps.Values(f.means[c]))
			slices.Sort(values)
			s, err := stats.SampleOf(values)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", variant, tool, err)
			}
			wall := mean(f.walls[c])
			k := jvmsFor(s.SD/s.Mean, honest)
			row(b, tool, variant, s.SD/s.Mean, wall, k)
			if tool == mooBench {
				row(b, tool+" with what it sleeps", variant, s.SD/s.Mean, wall+slept, k)
			}
		}
	}
	return nil
}

func row(b *strings.Builder, tool, variant string, spread, wall float64, k int) {
	fmt.Fprintf(b, "| %s | %s | %s | %s | %d | %s |\n",
		tool, variant, figure.Percent(spread), seconds(wall), k, seconds(float64(k)*wall))
}

func seconds(s float64) string {
	if s >= 100 {
		return fmt.Sprintf("%.0f s", s)
	}
	return fmt.Sprintf("%.1f s", s)
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// jvmsFor returns the smallest number of JVMs for which the half-width of the mean's interval is at most this
// share of the mean: the least k with t(k-1) spread/sqrt(k) ≤ share.
func jvmsFor(spread, share float64) int {
	k := 2
	for stats.TQuantile((1-level)/2, float64(k-1))*spread/math.Sqrt(float64(k)) > share {
		k++
	}
	return k
}

// loopCosts writes the costs of the loops themselves.
func (f *figures) loopCosts(b *strings.Builder) error {
	b.WriteString("\n### The timed loop by itself\n\nRound a method without work, per call: " +
		"CPU time of the thread, and what it allocates " +
		"(JMH: wall time, in its own loop, which has no stamp per call).\n\n" +
		"| loop | time | allocated |\n|---|---|---|\n")
	for _, l := range f.loops {
		ns, err := estimate(l.ns, "ns")
		if err != nil {
			return fmt.Errorf("the loop of %s: %w", l.name, err)
		}
		fmt.Fprintf(b, "| %s | %s | %.3f B |\n", l.name, ns, mean(l.bytes))
	}
	return nil
}

// writeInto replaces the table between its marks in a file, or writes a new file.
func writeInto(name, text string) error {
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	before, rest, begun := strings.Cut(string(old), tableBegin)
	_, after, ended := strings.Cut(rest, tableEnd+"\n")
	if begun && ended {
		text = before + text + after
	} else if len(old) > 0 {
		return fmt.Errorf("%s has no place for the table: want the lines %q and %q", name, tableBegin, tableEnd)
	}
	return os.WriteFile(name, []byte(text), 0o666)
}

// Package numbers reads arbitrary numbers and compares them with the same statistics as campaigns: it is a
// front end of infer.
//
// Numbers come one per line, as columns of a table, as summaries (mean, standard deviation, n), or as counts
// with exposures. Unreadable input is refused with its file and line, all at once: a wrong guess about a
// thousands separator or a decimal comma would answer another question.
//
// moobench test --json prints a Report; the fields of its types document the keys. A null bound is an unbounded
// one.
package numbers

import (
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/refusal"
	"moobench/results"
)

// Kind names a kind of test.
type Kind = results.Comparison

// Kinds names every kind.
func Kinds() []Kind { return kinds(func(infer.Kind) bool { return true }) }

// Matched names the kinds that use pairs if --paired says so.
func Matched() []Kind { return kinds(func(k infer.Kind) bool { return k.Pairing == infer.Either }) }

// kinds names the kinds that satisfy is.
func kinds(is func(infer.Kind) bool) []Kind {
	var names []Kind
	for _, k := range infer.Kinds() {
		if k.Method != "" && is(k) {
			names = append(names, k.Name)
		}
	}
	return names
}

func isPaired(k infer.Kind) bool { return k.Pairing == infer.Paired }

// List joins names of kinds with commas, and with last before the last one.
func List(kinds []Kind, last string) string {
	names := results.Each(kinds, func(k Kind) string { return string(k) })
	end := max(0, len(names)-2)
	return strings.Join(append(names[:end], strings.Join(names[end:], last)), ", ")
}

// Options say how to compare.
type Options struct {
	Kind        Kind
	Alternative stats.Alternative
	Alpha       float64 // of all comparisons together, inside (0, 1): 1 - confidence
	Paired      bool    // for kinds with or without pairs: line i of A belongs to line i of B
	Ordered     bool    // the pairs are in order of time: alike neighbours count for less
	Margin      Margin  // of tost
	Unit        string  // of the numbers, for printing
	// Solver remembers the detectable effects of earlier comparisons; nil: a new one.
	Solver infer.Solver
}

// kind returns the properties of the kind.
func (o Options) kind() infer.Kind {
	k, _ := infer.KindOf(o.Kind)
	return k
}

// Counts reports whether counts with exposures are compared, by CompareRates.
func (o Options) Counts() bool { return o.kind().Counts }

// method names the test and, for kinds with or without pairs, which of the two applies.
func (o Options) method() string {
	switch k := o.kind(); {
	case k.Margin && o.Margin.Relative:
		return "two one-sided paired t tests of the log ratio"
	case k.Pairing != infer.Either || k.Counts:
		return k.Method
	case o.Paired:
		return k.Method + ", paired"
	default:
		return k.Method + ", unpaired (Welch)"
	}
}

// Check returns contradictions between the options, as [refusal.Mistakes].
func (o Options) Check() error {
	var wrong refusal.Mistakes
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			wrong.At("", 0, format, args...)
		}
	}
	k, hasMargin := o.kind(), o.Margin.Size > 0
	refuse(!slices.Contains(Kinds(), o.Kind), "unknown kind %q: there are %s", string(o.Kind), List(Kinds(), ", "))
	refuse(!(o.Alpha > 0 && o.Alpha < 1), "the confidence %v is not between 0 and 1: 0.95 is 95 %%", 1-o.Alpha)
	refuse(k.Margin && o.Alpha >= 0.5, "%s needs an alpha below 0.5", o.Kind)
	refuse(k.TwoSided && o.Alternative != stats.TwoSided, "%s has no one-sided form: leave --alternative out", o.Kind)
	refuse(k.Margin && !hasMargin, "%s needs a margin: the largest difference that does not matter, such as --margin 1%% or --margin 0.3", o.Kind)
	refuse(!k.Margin && hasMargin, "a margin belongs to --kind %s", List(kinds(func(k infer.Kind) bool { return k.Margin }), " or "))
	refuse(k.Margin == hasMargin && o.Margin.Relative && !o.Paired,
		"a margin in %% is one of the log ratio over pairs: add --paired if line i of both is one pair, or give the margin in the numbers' unit")
	refuse(o.Ordered && !isPaired(k) && !o.Paired, "--in-order is about pairs in order of time: add --paired, or use --kind %s", List(kinds(isPaired), " or "))
	refuse(o.Paired && k.Pairing == infer.Unpaired, "%s knows no pairs: use --kind %s", o.Kind, List(kinds(isPaired), " or "))
	return wrong.Err()
}

// many is an implausible number of values: nobody starts that many JVMs.
const many = 100_000

// fit checks that the samples suit the test; alone marks differences that are compared with 0.
func (o Options) fit(samples []Sample, alone bool) error {
	var wrong refusal.Mistakes
	k := o.kind()
	pairs := isPaired(k) || k.Pairing == infer.Either && o.Paired
	if alone && !isPaired(k) {
		wrong.At(samples[0].Name, 0, "%s compares two samples or more; differences alone are compared with 0 by %s", o.Kind, List(kinds(isPaired), " and "))
		return &wrong
	}
	summaries, least := k.Summaries && pairs == alone, 2
	if k.Ranks() {
		least = 1
	}
	ofLogs := k.Logarithms || o.Margin.Relative
	for _, s := range samples {
		switch {
		case s.Summary != nil && !summaries:
			wrong.At(s.Name, 0, "%s needs the values themselves: a summary doesn't say enough", o.Kind)
		case s.Summary == nil && len(s.Values) < least:
			wrong.At(s.Name, 0, "holds %d, and %s needs %d or more", len(s.Values), o.Kind, least)
		case s.Summary == nil && pairs && len(s.Values) != len(samples[0].Values):
			wrong.At(s.Name, 0, "holds %d values, and %s holds %d: pairs need as many; line i of both must be one pair", len(s.Values), samples[0].Name, len(samples[0].Values))
		}
		for j, line := range s.Lines { // the zeros that differences are compared with have no lines
			if v := s.Values[j]; ofLogs && v <= 0 {
				wrong.At(s.File, line, "%v has no logarithm: a ratio of logs needs values above 0; use fieller, or a difference", v)
			}
		}
	}
	return wrong.Err()
}

// sizes warns of suspiciously large or small samples.
func (r *Report) sizes(o Options, samples []Sample) {
	var large, tiny []string
	for _, s := range samples {
		n := describe(s).N
		named := fmt.Sprintf("%s (n = %s)", s.Name, figure.Count(int64(n)))
		switch {
		case n >= many:
			large = append(large, named)
		case n < infer.FewInvocations && !o.kind().Ranks():
			tiny = append(tiny, named)
		}
	}
	if len(large) > 0 {
		r.warn("%s: if these are calls of one JVM, they are not independent observations, and n is the number of JVMs; then average each JVM's calls first, or the p value and the interval are far too sure", strings.Join(large, ", "))
	}
	if len(tiny) > 0 {
		r.warn("%s: assumes normal data, which so few values can't show", strings.Join(tiny, ", "))
	}
}

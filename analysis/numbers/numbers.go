// Package numbers reads anybody's numbers and compares them with the same
// statistics as campaigns: it is a door to infer.
//
// Numbers come one a line, as columns of a table, as summaries (mean, standard
// deviation, n), or as counts with exposures. Whatever can't be read is
// refused with its file and line, all at once: a thousands separator or a
// decimal comma that is guessed wrong would be an answer to another question.
//
// A Report in JSON is what moobench test --json prints; the fields of its types
// document the keys. A null bound is an unbounded one.
package numbers

import (
	"fmt"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// Kind is a kind of test.
type Kind = results.Comparison

// The kinds of tests.
const (
	Student          = results.TestStudent
	Welch            = results.TestWelch
	Paired           = results.TestPaired
	MannWhitney      = results.TestMannWhitney
	SignedRank       = results.TestSignedRank
	Sign             = results.TestSign
	TOST             = results.TestTOST
	Fieller          = infer.Fieller
	LogRatio         = infer.LogRatio
	Poisson     Kind = "poisson"
)

// traits are what is to be known of a kind of test.
type traits struct {
	Kind
	method    string // the test in words
	what      string // what is estimated
	ranks     string // the statistic's name of a test of ranks or signs; else it is t
	paired    bool   // values belong together, line by line
	pairable  bool   // they may, and then the method is "paired", else "unpaired (Welch)"
	summaries bool   // mean, sd and n of two samples are enough
}

var kinds = [...]traits{
	{Kind: Student, method: "Student's t test with pooled variance", what: "difference of means", summaries: true},
	{Kind: Welch, method: "Welch's t test", what: "difference of means", summaries: true},
	{Kind: Paired, method: "paired t test", what: "mean of the differences", paired: true},
	{Kind: MannWhitney, method: "Mann-Whitney test", what: "Hodges-Lehmann shift", ranks: "W"},
	{Kind: SignedRank, method: "Wilcoxon's signed-rank test", what: "Hodges-Lehmann pseudomedian of the differences", ranks: "V", paired: true},
	{Kind: Sign, method: "sign test", what: "median of the differences", ranks: "S", paired: true},
	{Kind: TOST, method: "two one-sided t tests, ", what: "difference of means", pairable: true, summaries: true},
	{Kind: Fieller, method: "ratio of means with Fieller's interval, ", what: "ratio of means", pairable: true, summaries: true},
	{Kind: LogRatio, method: "t test of the log ratio, ", what: "ratio of geometric means", pairable: true},
	{Kind: Poisson, method: "exact conditional test of two Poisson rates", what: "ratio of rates", pairable: true},
}

// Kinds lists every kind.
func Kinds() []Kind {
	var all []Kind
	for _, k := range kinds {
		all = append(all, k.Kind)
	}
	return all
}

// Options say what is compared how.
type Options struct {
	Kind        Kind
	Alternative stats.Alternative
	Alpha       float64 // of all comparisons together, inside (0, 1): 1 - confidence
	Paired      bool    // of tost, fieller, log-ratio and poisson: line i of A belongs to line i of B
	Margin      Margin  // of tost
	Unit        string  // of the numbers, for printing
	// Solver remembers the detectable effects of earlier comparisons; nil is a new
	// one.
	Solver infer.Solver
}

// traits are those of the kind; an unknown one has no name.
func (o Options) traits() traits {
	for _, k := range kinds {
		if k.Kind == o.Kind {
			return k
		}
	}
	return traits{}
}

// method names the test.
func (o Options) method() string {
	switch k := o.traits(); {
	case o.Kind == TOST && o.Margin.Relative:
		return "two one-sided paired t tests of the log ratio"
	case !strings.HasSuffix(k.method, ", "):
		return k.method
	case o.Paired:
		return k.method + "paired"
	default:
		return k.method + "unpaired (Welch)"
	}
}

// Check returns what of the options does not fit together, as Mistakes.
func (o Options) Check() error {
	var wrong Mistakes
	complain := func(format string, args ...any) { wrong.Add(fmt.Errorf(format, args...)) }
	k := o.traits()
	if k.Kind == "" {
		var names []string
		for _, k := range kinds {
			names = append(names, string(k.Kind))
		}
		complain("unknown kind %q: there are %s", string(o.Kind), strings.Join(names, ", "))
	}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		complain("the confidence %v is not between 0 and 1: 0.95 is 95 %%", 1-o.Alpha)
	}
	if o.Kind == TOST && o.Alpha >= 0.5 {
		complain("tost needs an alpha below 0.5")
	}
	if o.Alternative != stats.TwoSided && (o.Kind == TOST || o.Kind == Fieller) {
		complain("%s has no one-sided form: leave --alternative out", o.Kind)
	}
	switch hasMargin := o.Margin.Size > 0; {
	case o.Kind == TOST && !hasMargin:
		complain("tost needs a margin: what is still too little to matter, such as --margin 1%% or --margin 0.3")
	case o.Kind != TOST && hasMargin:
		complain("a margin belongs to --kind tost")
	case o.Margin.Relative && !o.Paired:
		complain("a margin in %% is one of the log ratio over pairs: add --paired if line i of both is one pair, or give the margin in the numbers' unit")
	}
	if o.Paired && !k.paired && !k.pairable {
		complain("%s knows no pairs: use --kind paired, signed-rank or sign", o.Kind)
	}
	return wrong.Err()
}

// many values are more than anyone starts JVMs.
const many = 100_000

// fit makes sure that the samples are what the test takes. Alone are differences that
// are compared with 0.
func (o Options) fit(samples []Sample, alone bool) error {
	var wrong Mistakes
	complain := func(s Sample, format string, args ...any) {
		wrong = append(wrong, Mistake{File: s.Name, Text: fmt.Sprintf(format, args...)})
	}
	k := o.traits()
	pairs := k.paired || k.pairable && o.Paired
	if alone && !k.paired {
		complain(samples[0], "%s compares two samples or more; differences alone are compared with 0 by paired, signed-rank and sign", o.Kind)
		return wrong
	}
	summaries, least := k.summaries && !o.Paired || o.Kind == Paired && alone, 2
	if k.ranks != "" {
		least = 1
	}
	for i, s := range samples {
		switch {
		case s.Summary != nil && !summaries:
			complain(s, "%s needs the values themselves: a summary doesn't say enough", o.Kind)
		case s.Summary == nil && len(s.Values) < least:
			complain(s, "holds %d, and %s needs %d or more", len(s.Values), o.Kind, least)
		case s.Summary == nil && pairs && len(s.Values) != len(samples[0].Values):
			complain(s, "holds %d values, and %s holds %d: pairs need as many; line i of both must be one pair", len(s.Values), samples[0].Name, len(samples[0].Values))
		}
		if logarithmic := o.Kind == LogRatio || o.Kind == TOST && o.Margin.Relative; !logarithmic || alone && i == 1 {
			continue
		}
		for j, v := range s.Values {
			if v <= 0 {
				wrong.at(s.File, s.Lines[j], fmt.Errorf("%v has no logarithm: a ratio of logs needs values above 0; use fieller, or a difference", v))
			}
		}
	}
	return wrong.Err()
}

// aboutSamples warns of what the samples alone tell.
func (r *Report) aboutSamples(o Options, samples []Sample) {
	var large, tiny []string
	for _, s := range samples {
		n := describe(s).N
		named := fmt.Sprintf("%s (n = %s)", s.Name, figure.Count(int64(n)))
		switch {
		case n >= many:
			large = append(large, named)
		case n < infer.FewInvocations && o.traits().ranks == "":
			tiny = append(tiny, named)
		}
	}
	if len(large) > 0 {
		r.warn("%s: if these are calls of one JVM, they are no independent observations, and n is the number of JVMs; then average each JVM's calls first, or the p value and the interval are far too sure", strings.Join(large, ", "))
	}
	if len(tiny) > 0 {
		r.warn("%s: the result leans on the values being normal, which so few can't show", strings.Join(tiny, ", "))
	}
}

// fitArms makes sure that counts can be added up, and are pairs where they have to be.
func (o Options) fitArms(arms []Counts) error {
	var wrong Mistakes
	for _, a := range arms {
		count, exposure := a.sums()
		text := ""
		switch {
		case len(a.Count) == 0 || len(a.Count) != len(a.Exposure):
			text = "holds no counts with exposures"
		case math.IsInf(exposure, 0):
			text = "the exposures add up to more than a 64-bit number holds"
		case count > exact:
			text = "the counts add up to more than 2^53"
		case o.Paired && len(a.Count) != len(arms[0].Count):
			text = fmt.Sprintf("holds %d runs, and %s %d: pairs need as many", len(a.Count), arms[0].Name, len(arms[0].Count))
		default:
			continue
		}
		wrong = append(wrong, Mistake{File: a.Name, Text: text})
	}
	return wrong.Err()
}

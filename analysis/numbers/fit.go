package numbers

import (
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
)

// many values are more than anyone starts JVMs.
const many = 100_000

// fit makes sure that the samples are what the test takes.
func fit(o Options, samples []Sample, alone bool) error {
	var wrong Mistakes
	complain := func(s Sample, format string, args ...any) {
		wrong = append(wrong, Mistake{File: s.Name, Text: fmt.Sprintf(format, args...)})
	}
	if alone && !slices.Contains([]Kind{Paired, SignedRank, Sign}, o.Kind) {
		complain(samples[0], "%s compares two samples or more; differences alone are compared with 0 by paired, signed-rank and sign", o.Kind)
		return wrong
	}
	for i, s := range samples {
		switch {
		case s.Summary != nil && !o.takesSummaries(alone):
			complain(s, "%s needs the values themselves: a summary doesn't say enough", o.Kind)
		case s.Summary == nil && len(s.Values) < o.least():
			complain(s, "holds %d, and %s needs %d or more", len(s.Values), o.Kind, o.least())
		case s.Summary == nil && o.pairs() && len(s.Values) != len(samples[0].Values):
			complain(s, "holds %d values, and %s holds %d: pairs need as many; line i of both must be one pair", len(s.Values), samples[0].Name, len(samples[0].Values))
		}
		if o.logarithmic() && !(alone && i == 1) {
			s.positive(&wrong)
		}
	}
	return wrong.Err()
}

func (o Options) takesSummaries(alone bool) bool {
	switch o.Kind {
	case Student, Welch:
		return true
	case TOST, Fieller:
		return !o.Paired
	}
	return o.Kind == Paired && alone
}

// least is the smallest sample a kind takes.
func (o Options) least() int {
	if o.ranked() {
		return 1
	}
	return 2
}

func (o Options) logarithmic() bool {
	return o.Kind == LogRatio || o.Kind == TOST && o.Margin.Relative
}

// positive adds every value that has no logarithm.
func (s Sample) positive(wrong *Mistakes) {
	for i, v := range s.Values {
		if v <= 0 {
			wrong.at(s.File, s.Lines[i], fmt.Errorf("%v has no logarithm: a ratio of logs needs values above 0; use fieller, or a difference", v))
		}
	}
}

// aboutSamples warns of what the samples alone tell.
func (r *Report) aboutSamples(o Options, samples []Sample, alone bool) {
	if alone {
		samples = samples[:1]
	}
	var large, tiny []string
	for _, s := range samples {
		n := describe(s).N
		named := fmt.Sprintf("%s (n = %s)", s.Name, figure.Count(int64(n)))
		switch {
		case n >= many:
			large = append(large, named)
		case n < infer.FewInvocations && !o.ranked():
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

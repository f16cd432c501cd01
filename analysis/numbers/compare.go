package numbers

import (
	"fmt"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// Kind is a kind of test.
type Kind string

// The kinds of tests.
const (
	Student     Kind = "student"
	Welch       Kind = "welch"
	Paired      Kind = "paired"
	MannWhitney Kind = "mann-whitney"
	SignedRank  Kind = "signed-rank"
	Sign        Kind = "sign"
	TOST        Kind = "tost"
	Fieller     Kind = "fieller"
	LogRatio    Kind = "log-ratio"
	Poisson     Kind = "poisson"
)

// Kinds lists every kind.
func Kinds() []Kind {
	return []Kind{Student, Welch, Paired, MannWhitney, SignedRank, Sign, TOST, Fieller, LogRatio, Poisson}
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

// pairs reports whether the values of two samples belong together.
func (o Options) pairs() bool {
	switch o.Kind {
	case Paired, SignedRank, Sign:
		return true
	case TOST, Fieller, LogRatio, Poisson:
		return o.Paired
	}
	return false
}

// Check returns what of the options does not fit together, as Mistakes.
func (o Options) Check() error {
	var wrong Mistakes
	complain := func(format string, args ...any) { wrong.Add(fmt.Errorf(format, args...)) }
	if !slices.Contains(Kinds(), o.Kind) {
		complain("unknown kind %q: there are %s", string(o.Kind), list(Kinds()))
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
	if o.Paired && !o.pairs() {
		complain("%s knows no pairs: use --kind paired, signed-rank or sign", o.Kind)
	}
	return wrong.Err()
}

// one is the comparison of two samples under way.
type one struct {
	Options
	family int // comparisons that share alpha
	a, b   Sample
	alone  bool // there is no b: a is compared with 0
	*Comparison
	warn func(format string, args ...any)
}

// Compare compares the first sample with each of the others, or, with pairs'
// differences in a single one, with 0. Errors are Mistakes.
func Compare(o Options, samples []Sample) (*Report, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	alone := len(samples) == 1
	if alone {
		samples = append(samples, zeros(samples[0]))
	}
	if err := fit(o, samples, alone); err != nil {
		return nil, err
	}
	r := newReport(o)
	r.aboutSamples(o, samples, alone)
	if o.Solver == nil {
		o.Solver = infer.Solver{}
	}
	for _, b := range samples[1:] {
		c := one{o, len(samples) - 1, samples[0], b, alone, &Comparison{A: describe(samples[0]), B: describe(b)}, r.warn}
		if alone {
			c.B = Described{Name: "0"}
		}
		if err := r.add(c.Comparison, c.compare, c.sentence); err != nil {
			return nil, err
		}
	}
	r.holm()
	return r, nil
}

// add carries a comparison out, puts it into words, and takes it down.
func (r *Report) add(c *Comparison, compare func() error, sentence func() string) error {
	if err := compare(); err != nil {
		return Mistakes{{Text: fmt.Sprintf("comparing %s with %s: %v", c.A.Name, c.B.Name, err)}}
	}
	c.Sentence = sentence()
	r.Comparisons = append(r.Comparisons, *c)
	return nil
}

func newReport(o Options) *Report {
	r := &Report{Kind: o.Kind, Method: o.method(), Alternative: o.Alternative, Confidence: 1 - o.Alpha, Unit: o.Unit}
	if o.Kind == TOST {
		r.Margin = &o.Margin
	}
	return r
}

// zeros is what the differences of a are compared with.
func zeros(a Sample) Sample {
	if a.Summary != nil {
		return Sample{Name: "0", Summary: &Summary{N: a.Summary.N}}
	}
	return Sample{Name: "0", Values: make([]float64, len(a.Values))}
}

// holm adjusts the p values of several comparisons, and says where they and the
// intervals, which hold together by Bonferroni, part.
func (r *Report) holm() {
	var ps []float64
	for _, c := range r.Comparisons {
		if c.P != nil {
			ps = append(ps, *c.P)
		}
	}
	if len(r.Comparisons) < 2 {
		return
	}
	adjusted := stats.Holm(ps)
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.P == nil {
			continue
		}
		c.PHolm, adjusted = &adjusted[0], adjusted[1:]
		if c.Verdict == infer.Undecided && *c.PHolm < 1-r.Confidence && r.Kind != TOST {
			r.warn("%s against %s: Holm's p is below alpha, although the simultaneous interval holds the neutral value: Holm is the sharper of the two, and has no interval", c.A.Name, c.B.Name)
		}
	}
}

// warn keeps each warning once.
func (r *Report) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.Warnings, text) {
		r.Warnings = append(r.Warnings, text)
	}
}

func describe(s Sample) Described {
	d := Described{Name: s.Name, N: len(s.Values)}
	if s.Summary != nil {
		d.N, d.Mean, d.SD = s.Summary.N, bound(s.Summary.Mean), bound(s.Summary.SD)
		return d
	}
	d.Mean, d.SD = known(stats.Mean(s.Values)), known(stats.SD(s.Values))
	return d
}

// ranked reports whether the kind looks at ranks or signs.
func (o Options) ranked() bool {
	return slices.Contains([]Kind{MannWhitney, SignedRank, Sign}, o.Kind)
}

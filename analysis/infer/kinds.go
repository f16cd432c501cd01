package infer

import (
	"cmp"
	"slices"
	"strings"

	"moobench/analysis/stats"
	"moobench/results"
)

// Kind is a kind of test: how it is requested, named and computed. To add one, write a function in
// a file of its own, and a line in Kinds.
type Kind struct {
	Name results.Comparison // name in benchmarks.toml and moobench test
	// About is its line in the help of moobench test; if "", its name is listed with the next test
	// that has one.
	About string
	// asked is its position among the tests that a question of benchmarks.toml may name; 0: not
	// allowed there.
	asked int
	// Method is the test in words; "" if moobench test does not offer it.
	Method    string
	Estimates string // the estimand, such as difference of means
	Statistic string // name, ending with its letter

	Pairing    Pairing
	TwoSided   bool // no one-sided form
	Margin     bool // tests equivalence, and needs a margin
	Ratio      bool // the verdict is read from the ratio
	Logarithms bool // computed on logarithms, so needs values above 0
	Summaries  bool // mean, standard deviation and number of independent values suffice
	Counts     bool // compares events per exposure: answered by CompareRates, not Compare

	// means compares two independent means; nil: Welch's method.
	means func(x, y stats.Sample, alt stats.Alternative, level float64) (stats.Estimate, error)
	// ranks compares values by ranks or signs; nil: not a rank test.
	ranks func(x, y []float64, alt stats.Alternative, level float64) (stats.RankTest, error)
	// signs says that only signs matter, so ties don't.
	signs bool
	// conclude turns the scales into estimates, and reads the verdict; nil: as for t tests, or rank
	// tests.
	conclude func(c *comparison)
}

// Pairing says whether a test uses pairs with one value from each sample.
type Pairing int

// Values of Kind.Pairing.
const (
	Unpaired Pairing = iota // the samples are independent
	Paired                  // needs pairs, or their differences
	Either                  // as requested; in a campaign, pairs within blocks
)

// Kinds returns all kinds of test, in the order in which moobench test lists them.
func Kinds() []Kind {
	return []Kind{
		{
			Name: results.TestStudent, asked: 3,
			Method: "Student's t test with pooled variance", Estimates: "difference of means",
			Statistic: "Student's t", Summaries: true, means: stats.Student,
		},
		{
			Name: results.TestWelch, About: "t tests of independent values, variances pooled or not", asked: 2,
			Method: "Welch's t test", Estimates: "difference of means", Statistic: "Welch's t", Summaries: true,
		},
		{
			Name: results.TestPaired, About: "t test of the differences of line i of A and line i of B", asked: 1,
			Method: "paired t test", Estimates: "mean of the differences", Statistic: "paired t",
			Pairing: Paired, Summaries: true,
		},
		{
			Name:  results.TestMannWhitney,
			About: "independent values, without a distribution; exact if small", asked: 5,
			Method: "Mann-Whitney test", Estimates: "Hodges-Lehmann shift", Statistic: "Mann-Whitney W",
			ranks: stats.MannWhitney,
		},
		{
			Name: results.TestSignedRank, asked: 4, Method: "Wilcoxon's signed-rank test",
			Estimates: "Hodges-Lehmann pseudomedian of the differences", Statistic: "signed rank V",
			Pairing: Paired, ranks: stats.SignedRank,
		},
		{
			Name: results.TestSign, About: "pairs, without a distribution", asked: 6,
			Method: "sign test", Estimates: "median of the differences", Statistic: "signs S",
			Pairing: Paired, ranks: stats.Sign, signs: true,
		},
		{
			Name: results.TestTOST, About: "equivalent within --margin 0.3, 5ns, or 1% (with --paired)?", asked: 7,
			Method: "two one-sided t tests", Estimates: "difference of means", Statistic: "paired t",
			Pairing: Either, TwoSided: true, Margin: true, Summaries: true,
		},
		{
			Name:   Fieller,
			Method: "ratio of means with Fieller's interval", Estimates: "ratio of means", Statistic: "t",
			Pairing: Either, TwoSided: true, Ratio: true, Summaries: true, conclude: (*comparison).fieller,
		},
		{
			Name: LogRatio, About: "ratio of means, ratio of geometric means (also --paired)",
			Method: "t test of the log ratio", Estimates: "ratio of geometric means", Statistic: "t",
			Pairing: Either, Ratio: true, Logarithms: true,
		},
		{
			Name: "poisson",
			About: "ratio of two rates; where the counts of the runs scatter\n" +
				"too much, quasi-Poisson and the permutation decide",
			Method: "exact conditional test of two Poisson rates", Estimates: "ratio of rates",
			Pairing: Either, Ratio: true, Counts: true,
		},
		{Name: results.TestRates, asked: 8, Pairing: Either, Counts: true},
	}
}

// KindOf returns the kind of test with a name; "" is the paired t test. It returns false if the
// name is unknown.
func KindOf(name results.Comparison) (Kind, bool) {
	k := results.Find(Kinds(), func(k *Kind) bool { return k.Name == cmp.Or(name, results.TestPaired) })
	return *cmp.Or(k, &Kind{}), k != nil
}

// Askable returns the tests that a question of benchmarks.toml may name, in order.
func Askable() []Kind {
	all := slices.DeleteFunc(Kinds(), func(k Kind) bool { return k.asked == 0 })
	slices.SortStableFunc(all, func(a, b Kind) int { return a.asked - b.asked })
	return all
}

// Ranks reports whether the test uses ranks or signs, so makes no distributional assumptions.
func (k Kind) Ranks() bool { return k.ranks != nil }

// Letter returns the short name of its statistic: t, W, V or S.
func (k Kind) Letter() string { return k.Statistic[strings.LastIndex(k.Statistic, " ")+1:] }

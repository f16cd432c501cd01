package infer

import (
	"cmp"
	"slices"
	"strings"

	"moobench/analysis/stats"
	"moobench/results"
)

// Kind is a kind of test: how it is asked for and named, and how it is carried out. A
// new one is a function in a file of its own, and its line in Kinds.
type Kind struct {
	Name results.Comparison // as benchmarks.toml and moobench test call it
	// About is its line in the help of moobench test; with "" its name stands in the
	// line of the next test that has one.
	About string
	// asked is its place among the tests that a question of benchmarks.toml may name;
	// 0: none may.
	asked int
	// Method is the test in words; "" is of one that moobench test does not offer.
	Method    string
	Estimates string // what its estimate is, such as the difference of means
	Statistic string // in words, ending with its letter

	Pairing    Pairing
	TwoSided   bool // it has no one-sided form
	Margin     bool // it asks whether the difference lies within a margin, and needs one
	Ratio      bool // its verdict is read from the ratio
	Logarithms bool // it is computed on logarithms, which values of 0 and below don't have
	Summaries  bool // mean, standard deviation and number of independent values are enough
	Counts     bool // it compares events out of chances: CompareRates answers, not Compare

	// means compares two independent means; nil is Welch's way.
	means func(x, y stats.Sample, alt stats.Alternative, level float64) (stats.Estimate, error)
	// ranks compares values by their ranks or signs; nil: it does not.
	ranks func(x, y []float64, alt stats.Alternative, level float64) (stats.RankTest, error)
	// signs says that the ranks don't matter, and so ties neither.
	signs bool
	// conclude turns the scales into estimates, and reads the verdict; nil is how t
	// tests do it, or tests of ranks.
	conclude func(c *comparison)
}

// Pairing says whether a test looks at pairs, of which each sample has one value.
type Pairing int

// What Kind.Pairing may be.
const (
	Unpaired Pairing = iota // the samples are independent
	Paired                  // it needs pairs, or their differences alone
	Either                  // as the asker says; in a campaign, pairs of one block
)

// Kinds are all kinds of test, in the order in which moobench test lists them.
func Kinds() []Kind {
	return []Kind{
		{
			Name: results.TestStudent, asked: 3, Method: "Student's t test with pooled variance", Estimates: "difference of means",
			Statistic: "Student's t", Summaries: true, means: stats.Student,
		},
		{
			Name: results.TestWelch, About: "t tests of independent values, variances pooled or not", asked: 2,
			Method: "Welch's t test", Estimates: "difference of means", Statistic: "Welch's t", Summaries: true,
		},
		{
			Name: results.TestPaired, About: "t test of the differences of line i of A and line i of B", asked: 1,
			Method: "paired t test", Estimates: "mean of the differences", Statistic: "paired t", Pairing: Paired, Summaries: true,
		},
		{
			Name: results.TestMannWhitney, About: "independent values, without a distribution; exact if small", asked: 5,
			Method: "Mann-Whitney test", Estimates: "Hodges-Lehmann shift", Statistic: "Mann-Whitney W", ranks: stats.MannWhitney,
		},
		{
			Name: results.TestSignedRank, asked: 4, Method: "Wilcoxon's signed-rank test",
			Estimates: "Hodges-Lehmann pseudomedian of the differences", Statistic: "signed rank V", Pairing: Paired, ranks: stats.SignedRank,
		},
		{
			Name: results.TestSign, About: "pairs, without a distribution", asked: 6,
			Method: "sign test", Estimates: "median of the differences", Statistic: "signs S", Pairing: Paired, ranks: stats.Sign, signs: true,
		},
		{
			Name: results.TestTOST, About: "equivalent within --margin 0.3, 5ns, or 1% (with --paired)?", asked: 7,
			Method: "two one-sided t tests", Estimates: "difference of means", Statistic: "paired t",
			Pairing: Either, TwoSided: true, Margin: true, Summaries: true,
		},
		{
			Name: Fieller, Method: "ratio of means with Fieller's interval", Estimates: "ratio of means", Statistic: "t",
			Pairing: Either, TwoSided: true, Ratio: true, Summaries: true, conclude: (*comparison).fieller,
		},
		{
			Name: LogRatio, About: "ratio of means, ratio of geometric means (also --paired)",
			Method: "t test of the log ratio", Estimates: "ratio of geometric means", Statistic: "t",
			Pairing: Either, Ratio: true, Logarithms: true,
		},
		{
			Name: "poisson", About: "ratio of two rates; where the counts of the runs scatter\ntoo much, quasi-Poisson and the permutation decide",
			Method: "exact conditional test of two Poisson rates", Estimates: "ratio of rates", Pairing: Either, Ratio: true, Counts: true,
		},
		{Name: results.TestRates, asked: 8, Pairing: Either, Counts: true},
	}
}

// KindOf returns the kind of test with a name; "" is the paired t test. It is false
// where there is none.
func KindOf(name results.Comparison) (Kind, bool) {
	k := results.Find(Kinds(), func(k *Kind) bool { return k.Name == cmp.Or(name, results.TestPaired) })
	return *cmp.Or(k, &Kind{}), k != nil
}

// Askable are the tests that a question of benchmarks.toml may name, in their order.
func Askable() []Kind {
	all := slices.DeleteFunc(Kinds(), func(k Kind) bool { return k.asked == 0 })
	slices.SortStableFunc(all, func(a, b Kind) int { return a.asked - b.asked })
	return all
}

// Ranks says whether the test looks at ranks or signs, and so supposes nothing of
// how the values are distributed.
func (k Kind) Ranks() bool { return k.ranks != nil }

// Letter is what its statistic is called for short: t, W, V or S.
func (k Kind) Letter() string { return k.Statistic[strings.LastIndex(k.Statistic, " ")+1:] }

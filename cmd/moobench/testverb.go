package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"moobench/analysis/infer"
	"moobench/analysis/numbers"
	"moobench/analysis/report"
	"moobench/analysis/stats"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/input"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
)

//go:embed testverb.txt
var aboutNumbers string

// aboutTests is the help of moobench test, with a line for each kind.
func aboutTests() string {
	var lines strings.Builder
	var names []string
	for _, k := range infer.Kinds() {
		if k.Method == "" {
			continue
		}
		if names = append(names, string(k.Name)); k.About != "" {
			fmt.Fprintf(&lines, "  %-21s %s\n", strings.Join(names, ", "), strings.ReplaceAll(k.About, "\n", "\n"+strings.Repeat(" ", 24)))
			names = nil
		}
	}
	return strings.Replace(aboutNumbers, "KINDS\n", lines.String(), 1)
}

// testFlags is what moobench test was asked.
type testFlags struct {
	kind, alternative, margin, unit, exposure string
	columns                                   []string
	summary, paired, json                     bool
	conf, alpha                               float64
	format                                    string
}

func testVerb(t *terminal) *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test --kind KIND [flags] A [B]…",
		Short: "compare anybody's numbers: t tests, rank tests, equivalence, ratios, rates",
		Long:  aboutTests() + "\n" + exitHelp,
		Example: `  moobench test --kind welch before.txt after.txt --unit ns
  moobench test --kind paired --column none --column agent runs.csv
  moobench test --kind tost --paired --margin 1% before.txt after.txt
  moobench test --kind student --alternative less --summary 2.0718,18.0090,1000000 2.3389,19.4660,1000000
  moobench test --kind poisson 25,26105373 51,15655600`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(f.format, report.DocumentFormats()); err != nil {
				return err
			}
			r, err := f.answer(c, args)
			if err != nil {
				return outcome.Usage(err)
			}
			if f.json {
				f.format = "json"
			}
			return t.console().Write(console.Document{Format: f.format}, func(w io.Writer, o report.Options) error {
				return report.WriteTests(w, f.format, r, o)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.kind, "kind", "", numbers.List(numbers.Kinds(), ", "))
	flags.StringVar(&f.alternative, "alternative", string(stats.TwoSided), "two-sided, less (A is less than B) or greater")
	flags.Float64Var(&f.conf, "conf", 0.95, "confidence of the intervals, between 0 and 1")
	flags.Float64Var(&f.alpha, "alpha", 0.05, "1 - confidence, instead of --conf")
	flags.StringVar(&f.margin, "margin", "", "of tost: what is still too little to matter, as 0.3, 5ns or 1%")
	flags.BoolVar(&f.paired, "paired", false, "line i of A and line i of B are a pair ("+numbers.List(numbers.Matched(), ", ")+")")
	flags.BoolVar(&f.summary, "summary", false, "the arguments are mean,sd,n (of poisson count,exposure), not files")
	flags.StringArrayVar(&f.columns, "column", nil, "name or number of a column; may be repeated")
	flags.StringVar(&f.exposure, "exposure", "", "of poisson: name or number of the column of exposures, beside --column of the counts")
	flags.StringVar(&f.unit, "unit", "", "unit of the numbers, for printing, such as ns")
	flags.BoolVar(&f.json, "json", false, "print JSON, as --format json")
	flags.StringVar(&f.format, "format", "text", strings.Join(report.DocumentFormats(), ", "))
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if strings.Contains(err.Error(), "shorthand") {
			err = refusal.New(err, "put -- before numbers that begin with a minus: moobench test --kind welch --summary -- -1.5,2,10 0.3,2,10")
		}
		return outcome.Usage(err)
	})
	return cmd
}

// answer reads the numbers and compares them. Whatever is wrong in flags and
// files is in the one error.
func (f *testFlags) answer(c *cobra.Command, args []string) (*numbers.Report, error) {
	var wrong refusal.Mistakes
	o, err := f.options(c)
	wrong.Add(err)
	if len(args) == 0 {
		wrong.Add(errors.New("nothing to compare: name files with one number a line, or - for standard input, or put mean,sd,n after --summary"))
	}
	in := input.Source{Stdin: c.InOrStdin(), Summary: f.summary, Columns: f.columns, Exposure: f.exposure}
	if o.Counts() {
		arms, err := in.Rates(args)
		if wrong.Add(err); wrong.Count > 0 {
			return nil, &wrong
		}
		return numbers.CompareRates(o, arms)
	}
	samples, err := in.Samples(args)
	if wrong.Add(err); wrong.Count > 0 {
		return nil, &wrong
	}
	return numbers.Compare(o, samples)
}

// options are the flags as the comparison wants them.
func (f *testFlags) options(c *cobra.Command) (numbers.Options, error) {
	o := numbers.Options{Kind: numbers.Kind(f.kind), Alpha: 0.05, Paired: f.paired, Unit: console.Visible(f.unit)}
	var wrong refusal.Mistakes
	given := c.Flags().Changed
	switch {
	case given("conf") && given("alpha"):
		wrong.Add(errors.New("--conf and --alpha say the same: give one of them"))
	case given("alpha") && !(f.alpha > 0 && f.alpha < 1):
		wrong.Add(fmt.Errorf("--alpha %v is not between 0 and 1: 0.05 is 5 %%", f.alpha))
	case given("alpha"):
		o.Alpha = f.alpha
	case given("conf"):
		// As one would write it: 0.05 of 0.95, and not 0.050000000000000044, at which
		// bounds would differ from those of campaigns.
		o.Alpha, _ = strconv.ParseFloat(strconv.FormatFloat(1-f.conf, 'g', 12, 64), 64)
	}
	var err error
	if o.Alternative, err = stats.ParseAlternative(f.alternative); err != nil {
		o.Alternative = stats.TwoSided
		wrong.Add(fmt.Errorf("--alternative %q: there are two-sided, less and greater", f.alternative))
	}
	if f.margin != "" {
		if o.Margin, err = numbers.ParseMargin(f.margin, f.unit); err != nil {
			wrong.Add(err)
			o.Margin = numbers.Margin{Size: 1} // said already
		}
	}
	if f.kind == "" {
		wrong.Add(fmt.Errorf("--kind is missing: there are %v", numbers.Kinds()))
		return o, &wrong
	}
	if f.summary && len(f.columns) > 0 {
		wrong.Add(errors.New("--column chooses from files, and --summary has none"))
	}
	switch counts := o.Counts(); {
	case f.exposure != "" && !counts:
		wrong.Add(errors.New("--exposure belongs to --kind poisson"))
	case counts && (f.exposure == "") != (len(f.columns) == 0):
		wrong.Add(errors.New("--column names the counts, and --exposure what they are out of: poisson needs both, or neither of a table with just these two"))
	}
	wrong.Add(o.Check())
	return o, wrong.Err()
}

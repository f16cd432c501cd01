package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"moobench/analysis/infer"
	"moobench/analysis/numbers"
	"moobench/analysis/report"
	"moobench/analysis/stats"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
)

// aboutTests returns a line for each kind of test, for the help of moobench test.
func aboutTests() string {
	var lines strings.Builder
	var names []string
	for _, k := range infer.Kinds() {
		if k.Method == "" {
			continue
		}
		if names = append(names, string(k.Name)); k.About != "" {
			about := strings.ReplaceAll(k.About, "\n", "\n"+strings.Repeat(" ", 24))
			fmt.Fprintf(&lines, "  %-21s %s\n", strings.Join(names, ", "), about)
			names = nil
		}
	}
	return lines.String()
}

// testFlags holds the flags of moobench test.
type testFlags struct {
	numbers.Options
	source
	alternative, margin string // as given
	conf                float64
	format              string
}

func testVerb(t *terminal) *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test --kind KIND [flags] A [B]…",
		Short: "compare anybody's numbers: t tests, rank tests, equivalence, ratios, rates",
		Long:  aboutTests(),
		RunE: func(c *cobra.Command, args []string) error {
			f.stdin = c.InOrStdin()
			r, err := f.answer(c.Flags().Changed, args)
			if err != nil {
				return outcome.Usage(err)
			}
			return t.Write(console.Document{Format: f.format}, func(w io.Writer, o report.Options) error {
				return report.WriteTests(w, f.format, r, o)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar((*string)(&f.Kind), "kind", "", numbers.List(numbers.Kinds(), ", "))
	flags.StringVar(&f.alternative, "alternative", string(stats.TwoSided),
		"two-sided, less (A is less than B) or greater")
	flags.Float64Var(&f.conf, "conf", 0.95, "confidence of the intervals, between 0 and 1")
	flags.Float64Var(&f.Alpha, "alpha", 0.05, "1 - confidence, instead of --conf")
	flags.StringVar(&f.margin, "margin", "", "with tost: the largest difference that does not matter, such as 0.3, 5ns or 1%")
	flags.BoolVar(&f.Ordered, "in-order", false, "pairs are in order of time: where neighbours are alike, "+
		"the interval is wider, as a campaign's is from eight blocks on")
	flags.BoolVar(&f.Paired, "paired", false,
		"line i of A and line i of B are a pair ("+numbers.List(numbers.Matched(), ", ")+")")
	flags.BoolVar(&f.summary, "summary", false, "the arguments are mean,sd,n (with poisson count,exposure), not files")
	flags.StringArrayVar(&f.columns, "column", nil, "name or number of a column; may be repeated")
	flags.StringVar(&f.exposure, "exposure", "",
		"with poisson: name or number of the column of exposures, beside --column of the counts")
	flags.StringVar(&f.Unit, "unit", "", "unit of the numbers, for printing, such as ns")
	registerFormat(cmd, &f.format, report.DocumentFormats())
	registerJSON(cmd, &f.format)
	kinds := strings.Split(numbers.List(numbers.Kinds(), ", "), ", ")
	complete(cmd, "kind", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if strings.Contains(err.Error(), "shorthand") {
			err = refusal.New(err, "put -- before numbers that begin with a minus: "+
				"moobench test --kind welch --summary -- -1.5,2,10 0.3,2,10")
		}
		return outcome.Usage(err)
	})
	return cmd
}

// answer reads and compares the numbers. The error lists all mistakes in flags and files.
func (f *testFlags) answer(given func(flag string) bool, args []string) (*numbers.Report, error) {
	var wrong refusal.Mistakes
	wrong.Add(f.fit(given))
	if len(args) == 0 {
		wrong.Add(errors.New("nothing to compare: name files with one number a line, or - for standard input, " +
			"or put mean,sd,n after --summary"))
	}
	if f.Counts() {
		arms, err := f.rates(args)
		if wrong.Add(err); wrong.Count > 0 {
			return nil, &wrong
		}
		return numbers.CompareRates(f.Options, arms)
	}
	samples, err := f.samples(args)
	if wrong.Add(err); wrong.Count > 0 {
		return nil, &wrong
	}
	return numbers.Compare(f.Options, samples)
}

// fit sets the options from the flags, and returns all their mistakes.
func (f *testFlags) fit(given func(flag string) bool) error {
	const usual = 0.05
	var wrong refusal.Mistakes
	switch {
	case given("conf") && given("alpha"):
		wrong.Add(errors.New("--conf and --alpha say the same: give one of them"))
		f.Alpha = usual
	case given("alpha") && !(f.Alpha > 0 && f.Alpha < 1):
		wrong.Add(fmt.Errorf("--alpha %v is not between 0 and 1: 0.05 is 5 %%", f.Alpha))
		f.Alpha = usual
	case given("conf"):
		// Rounded as one would write it: 0.05 for 0.95, not 0.050000000000000044, which would give
		// other bounds than campaigns.
		f.Alpha, _ = strconv.ParseFloat(strconv.FormatFloat(1-f.conf, 'g', 12, 64), 64)
	}
	var err error
	if f.Alternative, err = stats.ParseAlternative(f.alternative); err != nil {
		f.Alternative = stats.TwoSided
		wrong.Add(fmt.Errorf("--alternative %q: there are two-sided, less and greater", f.alternative))
	}
	if f.margin != "" {
		if f.Margin, err = numbers.ParseMargin(f.margin, f.Unit); err != nil {
			wrong.Add(err)
			f.Margin = numbers.Margin{Size: 1} // any valid margin: the mistake is reported
		}
	}
	f.Unit = console.Visible(f.Unit)
	if f.Kind == "" {
		wrong.Add(fmt.Errorf("--kind is missing: there are %s", numbers.List(numbers.Kinds(), ", ")))
		return &wrong
	}
	if f.summary && len(f.columns) > 0 {
		wrong.Add(errors.New("--column chooses from files, and --summary has none"))
	}
	switch counts := f.Counts(); {
	case f.exposure != "" && !counts:
		wrong.Add(errors.New("--exposure belongs to --kind poisson"))
	case counts && (f.exposure == "") != (len(f.columns) == 0):
		wrong.Add(errors.New("--column names the counts, and --exposure what they are out of: poisson needs both, " +
			"or neither of a table with just these two"))
	}
	wrong.Add(f.Check())
	return wrong.Err()
}

// source reads the arguments of moobench test. It reports all mistakes, not only the first.
type source struct {
	stdin    io.Reader // input for the argument -
	summary  bool      // arguments are mean,sd,n, or count,exposure of rates, not files
	columns  []string  // one for all files, one for each, or several of a single file
	exposure string    // column of exposures, besides that of counts

	used bool // standard input was read, which is possible only once
}

// read opens the file named by an argument, and passes it to read with the name to show. If there
// is no such file, but the argument looks like figures, the error suggests --summary.
func (s *source) read(arg string, read func(name string, r io.Reader) error) error {
	if arg == "-" {
		if s.used {
			return errors.New("-: standard input can be read once only")
		}
		s.used = true
		return read("standard input", s.stdin)
	}
	f, err := os.Open(arg)
	if err != nil && looksLikeFigures(arg) {
		return fmt.Errorf("%s is not a file: figures such as mean,sd,n need --summary", console.Visible(arg))
	}
	if err != nil {
		return fmt.Errorf("reading numbers: %w", err)
	}
	defer f.Close()
	return read(console.Visible(arg), f)
}

func looksLikeFigures(arg string) bool {
	first, _, ok := strings.Cut(arg, ",")
	_, err := numbers.Parse(first)
	return ok && err == nil
}

// column returns the columns of the i-th of n arguments.
func (s *source) column(i, n int) []string {
	if n > 1 && len(s.columns) > 1 {
		return s.columns[i : i+1]
	}
	return s.columns
}

// samples reads all samples to compare.
func (s *source) samples(args []string) ([]numbers.Sample, error) {
	var all []numbers.Sample
	var wrong refusal.Mistakes
	if s.summary {
		for i, arg := range args {
			figures, err := numbers.ParseSummary(arg)
			wrong.Add(err)
			all = append(all, numbers.Sample{Name: letter(i), Summary: &figures})
		}
		return all, wrong.Err()
	}
	if len(args) > 1 && len(s.columns) > 1 && len(s.columns) != len(args) {
		return nil, fmt.Errorf("%d files and %d columns: give one column for all files, one for each, "+
			"or several of a single file", len(args), len(s.columns))
	}
	for i, arg := range args {
		if total(all) > numbers.Most && wrong.Count == 0 {
			return nil, numbers.ErrMost
		}
		wrong.Add(s.read(arg, func(name string, r io.Reader) error {
			if columns := s.column(i, len(args)); len(columns) > 0 {
				samples, err := numbers.Table(name, r, columns)
				all = append(all, samples...)
				return err
			}
			sample, err := numbers.Lines(name, r)
			all = append(all, sample)
			return err
		}))
	}
	if total(all) > numbers.Most && wrong.Count == 0 {
		return nil, numbers.ErrMost
	}
	// Samples are named after their files if these differ, and otherwise after their columns.
	files, columns := map[string]int{}, map[string]int{}
	for _, s := range all {
		files[s.File]++
		columns[s.Name]++
	}
	for i := range all {
		s := &all[i]
		switch {
		case len(files) == len(all) && len(all) > 1:
			s.Name = s.File
		case columns[s.Name] > 1:
			s.Name = fmt.Sprintf("%s (%s)", s.Name, letter(i))
		}
		s.Name = console.Visible(s.Name)
	}
	return all, wrong.Err()
}

// total counts the numbers in all samples.
func total(all []numbers.Sample) int {
	n := 0
	for _, s := range all {
		n += len(s.Values)
	}
	return n
}

// rates reads totals from the arguments, or runs from files.
func (s *source) rates(args []string) ([]numbers.Counts, error) {
	if len(s.columns) > 1 && len(s.columns) != len(args) {
		return nil, fmt.Errorf("%d files and %d columns of counts: give one column for all files, or one for each",
			len(args), len(s.columns))
	}
	all := make([]numbers.Counts, len(args))
	var wrong refusal.Mistakes
	for i, arg := range args {
		_, err := os.Stat(arg)
		if s.summary || err != nil && looksLikeFigures(arg) {
			all[i], err = numbers.ParseRate(arg)
			all[i].Name = letter(i)
		} else {
			err = s.read(arg, func(name string, r io.Reader) (err error) {
				all[i], err = numbers.Runs(name, r, strings.Join(s.column(i, len(args)), ""), s.exposure)
				return err
			})
		}
		wrong.Add(err)
	}
	return all, wrong.Err()
}

// letter returns a name for the i-th sample.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprintf("sample %d", i+1)
}

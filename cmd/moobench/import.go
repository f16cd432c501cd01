package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moobench/analysis/figure"
	"moobench/results"
	"moobench/results/importer/jtl"
)

// importFlags is what moobench import was asked.
type importFlags struct {
	variants     []string
	name, output string
}

func importVerb(t *terminal) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE… [--variant NAME=FILE]… [-o DIR]",
		Short: "make a campaign of another tool's results (JMeter's JTL)",
		Long: `Makes a campaign of the results of another tool, which moobench report then
analyses with our method. Files are told by their names:

  *.jtl, *.csv  Apache JMeter's result files as CSV, with the line that names the
                columns: their order does not matter, and all but timeStamp,
                elapsed and success (or responseCode) may lack

Each file is one invocation: one start of the system under test. Its variant is
the file's name without its end, or what --variant says; files of one variant are
its invocations. The first variant is the baseline. What the source does not say
is absent: order, blocks and A/A, so that drift of the machine is not told from
differences, and when a request was to be sent.

` + exitHelp,
		Example: `  moobench import none.jtl agent.jtl
  moobench import --variant none=1.jtl --variant agent=2.jtl --variant none=3.jtl --variant agent=4.jtl -o imported`,
		RunE: func(_ *cobra.Command, args []string) error {
			sources, err := f.sources(args)
			if err != nil {
				return usageError{err}
			}
			return t.importFiles(f, sources)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.variants, "variant", nil, "NAME=FILE: a file, and which variant it is of; may be repeated")
	flags.StringVar(&f.name, "name", "imported", "name of the campaign")
	flags.StringVarP(&f.output, "output", "o", "", "folder of the campaign (default results/runs/<time>-<name>)")
	return cmd
}

// sources are all files with their variants: those with a given one first.
func (f *importFlags) sources(args []string) ([]jtl.Source, error) {
	var all []jtl.Source
	var wrong []error
	for _, v := range f.variants {
		name, path, ok := strings.Cut(v, "=")
		if !ok || name == "" || path == "" {
			wrong = append(wrong, fmt.Errorf("--variant %q: want NAME=FILE, such as none=1.jtl", v))
		}
		all = append(all, jtl.Source{Variant: name, Path: path})
	}
	for _, path := range args {
		all = append(all, jtl.Source{Variant: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), Path: path})
	}
	for _, s := range all {
		if end := strings.ToLower(filepath.Ext(s.Path)); s.Path != "" && end != ".jtl" && end != ".csv" {
			wrong = append(wrong, fmt.Errorf("%s: its name does not say what it is: want *.jtl or *.csv", visible(s.Path)))
		}
	}
	if len(all) == 0 {
		wrong = append(wrong, errors.New("nothing to import: name JMeter's result files"))
	}
	if f.name == "" || strings.ContainsAny(f.name, "/\x00") {
		wrong = append(wrong, fmt.Errorf("--name %q is no name of a folder", f.name))
	}
	return all, errors.Join(wrong...)
}

func (t *terminal) importFiles(f importFlags, sources []jtl.Source) error {
	now := time.Now().UTC()
	dir := f.output
	if dir == "" {
		dir = filepath.Join("results", "runs", now.Format("2006-01-02T150405Z")+"-"+f.name)
	}
	store, err := jtl.Import(dir, results.Campaign{Name: f.name, Created: now, Versions: map[string]string{"moobench": build()}}, sources)
	var mistakes *jtl.Mistakes
	if errors.As(err, &mistakes) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "imported %s of %s into %s\n", figure.Plural(len(sources), "file", "files"), figure.Plural(len(store.Campaign().Cells), "variant", "variants"), visible(dir))
	fmt.Fprintf(t.out, "moobench report %s\n", visible(dir))
	return nil
}

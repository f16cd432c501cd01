package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moobench/analysis/figure"
	"moobench/results"
	"moobench/results/importer/jtl"
)

// exportFormat is a format of another tool.
type exportFormat struct {
	name string
	// fits says whether an invocation has what the format is about, which what
	// names.
	fits func(*results.Invocation) bool
	what string
	// write writes invocations and says what the reader must know of it.
	write func(io.Writer, *results.Store, []*results.Invocation) (note string, err error)
}

func exportFormats() []exportFormat {
	return []exportFormat{{name: "jtl", fits: jtl.HasRequests, what: "requests", write: exportJTL}}
}

func exportJTL(w io.Writer, s *results.Store, list []*results.Invocation) (string, error) {
	done, err := jtl.Write(w, s, list)
	return fmt.Sprintf("%d requests; times of day are exact to ± %v, differences between them to 1 ms", done.Requests, done.Exact.Round(time.Millisecond)), err
}

// exported chooses what is exported.
type exported struct{ invocation, cell string }

func exportVerb(t *terminal) *cobra.Command {
	var format, output string
	var choice exported
	cmd := &cobra.Command{
		Use:   "export DIR --format FORMAT [--invocation ID | --cell LABEL] [-o FILE]",
		Short: "write what was measured in the format of another tool (JMeter's JTL)",
		Long: `Writes one invocation, or those of one cell that count, in the format of another
tool. The only format is:

  jtl  Apache JMeter's result file as CSV, a line for each request: of scenarios
       that send requests. elapsed is from the sending to the last byte, in whole
       milliseconds; what is not known is 0, empty or null, as JMeter writes it.
       JMeter's own report of it: jmeter -g FILE -o FOLDER

` + exitHelp,
		Example: `  moobench export results/runs/2026-11-21T030000Z-nightly --format jtl --invocation b0001.s02.r0 -o requests.jtl
  moobench export results/runs/2026-11-21T030000Z-nightly --format jtl --cell probe/hotswap/collect > requests.jtl`,
		Args: positional(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			formats := exportFormats()
			i := slices.IndexFunc(formats, func(f exportFormat) bool { return f.name == format })
			if i < 0 {
				return usageError{fmt.Errorf("unknown --format %q: there is jtl", format)}
			}
			if choice.invocation != "" && choice.cell != "" {
				return usageError{errors.New("--invocation and --cell both choose: give one of them")}
			}
			return t.export(args[0], formats[i], choice, output)
		},
	}
	f := cmd.Flags()
	f.StringVar(&format, "format", "", "jtl")
	f.StringVar(&choice.invocation, "invocation", "", "one invocation, such as b0001.s02.r0")
	f.StringVar(&choice.cell, "cell", "", "all invocations of a cell, such as probe/hotswap/collect")
	f.StringVarP(&output, "output", "o", "", "file to write (default standard output)")
	return cmd
}

func (t *terminal) export(dir string, format exportFormat, choice exported, output string) error {
	store, err := results.Open(dir)
	if err != nil {
		return err
	}
	all, err := store.Invocations()
	if err != nil {
		fmt.Fprintf(t.err, "moobench: warning: not everything can be read, and the rest is exported: %v\n", err)
	}
	list, err := choice.among(store.Campaign(), all, format)
	if err != nil {
		return usageError{err}
	}
	note := ""
	err = writeWhole(t.out, output, func(w io.Writer) (err error) {
		note, err = format.write(w, store, list)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.err, "exported %d of %s: %s\n", len(list), figure.Plural(len(all), "invocation", "invocations"), note)
	return nil
}

// among are the chosen invocations: one, or those of one cell that count. What
// was chosen must be about the format.
func (e exported) among(c *results.Campaign, all []*results.Invocation, format exportFormat) ([]*results.Invocation, error) {
	var list []*results.Invocation
	cells := map[string]bool{}
	for _, inv := range all {
		label := inv.Cell
		if cell := c.Cell(inv.Cell); cell != nil {
			label = cell.Label()
		}
		counts := inv.Status == results.StatusOK && inv.Void == "" && !inv.Superseded && inv.Profile == results.ProfileTiming
		if !format.fits(inv) || e.invocation == "" && !counts {
			continue
		}
		cells[label] = true
		if e.invocation == inv.Identity.String() || e.invocation == "" && (e.cell == "" || e.cell == label || e.cell == inv.Cell) {
			list = append(list, inv)
		}
	}
	switch labels := visible(strings.Join(slices.Sorted(maps.Keys(cells)), ", ")); {
	case len(cells) == 0 && e.invocation == "":
		return nil, fmt.Errorf("no invocation of this campaign has %s", format.what)
	case len(list) == 0 && e.invocation != "":
		return nil, fmt.Errorf("there is no invocation %q with %s", e.invocation, format.what)
	case len(list) == 0:
		return nil, fmt.Errorf("no cell %q has %s: there are %s", e.cell, format.what, labels)
	case len(list) > 1 && e.cell == "":
		return nil, fmt.Errorf("%d invocations have %s: choose one with --invocation, or a cell with --cell: %s", len(list), format.what, labels)
	}
	return list, nil
}

// writeWhole writes a file whole or not at all, or to out where it has no name.
func writeWhole(out io.Writer, name string, write func(io.Writer) error) error {
	if name == "" {
		return write(out)
	}
	tmp := name + ".tmp"
	f, err := os.Create(tmp)
	if err != nil {
		return fmt.Errorf("exporting: %w\nhint: choose another file with -o", err)
	}
	defer os.Remove(tmp)
	if err := errors.Join(write(f), f.Close()); err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	if err := os.Rename(tmp, name); err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	return nil
}

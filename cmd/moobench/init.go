package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"moobench/harness/framework"
	"moobench/refusal"
	"moobench/results/safefile"
)

const firstLook = `# What does monitoring cost? Run it with: moobench run %s
name = "first-look"

# On a machine that does nothing else; moobench doctor shows what can be set on this one:
#[machine]
#profile  = "fixed-hardware"               # sets what is sensible, and puts back what it found
#governor = { set = "performance", policy = "require" } # or stop; try: or warn; observe: leave it

[[scenario]]
use      = "overhead"
variants = ["none", "kieker/bci/tcp"]      # the first is the baseline; moobench list shows all
blocks   = 10                              # each starts every cell once; or, in its place:

# ten blocks are a pilot, which decides how many there are:
#precision = "2%%"                         # half-width of each difference, in per cent of the cell's own mean
#max_time  = "2h"                          # never longer; by default ten times the pilot

# A question of your own, answered in words:
#[[question]]
#text   = "Is the agent free within 1 %%?"
#a      = "kieker/bci/tcp"
#b      = "none"                           # the answer is about a - b
#test   = "tost"                           # or paired (the default), welch, student, signed-rank, mann-whitney
#margin = "1%%"                            # or an amount: "5ns"
`

const catalogueHead = `# Every variant of the catalogue that monitors what it is told. Run it with: moobench run %s
name   = "catalogue"

[[scenario]]
use       = "overhead"
calls     = 100_000                       # the same in every cell
blocks    = 3
resources = 1
variants  = [
  "none",                                 # the baseline
`

func initVerb(t *terminal) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "init [first-look|catalogue|nightly]",
		Short: "write a benchmarks.toml to start from, or all of a nightly run",
		Long: `Writes a benchmarks.toml to start from, and never overwrites one.

  first-look   one agent against none (the default)
  catalogue    every variant of every framework that moobench knows
  nightly      a nightly run of an agent of your own: benchmarks.toml, the script
               of one night, and files for GitHub Actions, GitLab CI, systemd and
               cron that call it; -o is the folder, by default this one

` + exitHelp,
		Example:   "  moobench init\n  moobench init catalogue -o catalogue.toml\n  moobench init nightly",
		Args:      positional(cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs)),
		ValidArgs: []string{"first-look", "catalogue", "nightly"},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "nightly" {
				if !c.Flags().Changed("output") {
					output = "."
				}
				return t.initNightly(output)
			}
			text := fmt.Sprintf(firstLook, output)
			if len(args) == 1 && args[0] == "catalogue" {
				var err error
				if text, err = catalogueText(output); err != nil {
					return err
				}
			}
			return writeNew(t, output, text)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "benchmarks.toml", "file to write, or folder of a nightly run")
	return cmd
}

func catalogueText(output string) (string, error) {
	set, err := framework.Catalogue()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, catalogueHead, output)
	for _, name := range set.Names() {
		if !set.ByRequest(name) { // else it would not monitor our method
			fmt.Fprintf(&b, "  %q,\n", name)
		}
	}
	b.WriteString("]\n")
	return b.String(), nil
}

func writeNew(t *terminal, path, text string) error {
	f, err := safefile.Create(path, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return refusal.New(fmt.Errorf("%s exists and is not overwritten", path), "name another file with -o")
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if _, err := f.WriteString(text); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", path, err), f.Close())
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	_, err = fmt.Fprintf(t.out, "wrote %s\nnext: moobench run -n %s shows the plan, moobench run %s measures it\n", path, path, path)
	return err
}

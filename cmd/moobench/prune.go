package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"moobench/analysis/figure"
	"moobench/harness/machine"
	"moobench/results"
)

// pruneOptions are the flags of moobench prune.
type pruneOptions struct {
	keep                int
	runs, kept, history string
	dry                 bool
}

func pruneVerb(t *terminal) *cobra.Command {
	var o pruneOptions
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "remove the folders of old campaigns, and jars that nobody needs",
		Long: `Removes the folders of complete campaigns, all but the newest of each name, and
kept jars that neither the history nor a campaign that is left names. What the
history says of a night stays in the history.

It never touches what is unfinished, imported, or no campaign, and does not start
while something is measured here.

` + exitHelp,
		Example: `  moobench prune -n                 # what would go, and how much room that gives
  moobench prune --keep 14`,
		Args: positional(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			return t.prune(o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.keep, "keep", 30, "how many complete campaigns of each name stay")
	f.StringVar(&o.runs, "runs", runsDir, "the folder of the campaigns")
	f.StringVar(&o.kept, "artifacts", keptDir, "the folder of the jars that were kept")
	f.StringVar(&o.history, "history", historyFile, "the history: the jars that it names stay")
	f.BoolVarP(&o.dry, "dry-run", "n", false, "say what would go; remove nothing")
	return cmd
}

// prune removes what the flags say, or says what it would remove.
func (t *terminal) prune(o pruneOptions) error {
	if o.keep < 1 {
		return usageError{fmt.Errorf("--keep %d: one campaign of each name stays at least", o.keep)}
	}
	if !o.dry {
		release, err := machine.Lock(machine.LockPath(), "prune of "+o.runs)
		if err != nil {
			return fmt.Errorf("pruning: %w", err)
		}
		defer release()
	}
	p, err := planPrune(o)
	if err != nil {
		return err
	}
	p.print(t.out)
	if o.dry {
		fmt.Fprintln(t.out, "nothing was removed")
		return nil
	}
	return p.carryOut()
}

// prunedPrefix begins the name of a campaign's folder that is being removed: one
// that is half gone is no campaign.
const prunedPrefix = ".tmp-pruned-"

// carryOut removes what is to go, and what an earlier removal left half done. What
// can't be removed does not keep the rest.
func (p *pruning) carryOut() error {
	var errs []error
	for _, c := range p.campaigns {
		if err := p.remove(c.path); err != nil {
			errs = append(errs, fmt.Errorf("removing %s: %w", c.path, err))
		}
	}
	for _, path := range p.halves {
		if err := os.RemoveAll(path); err != nil {
			errs = append(errs, fmt.Errorf("removing what was left of %s: %w", path, err))
		}
	}
	kept := results.OpenKept(p.kept)
	for _, a := range p.artifacts {
		errs = append(errs, kept.Remove(a.sha256))
	}
	errs = append(errs, kept.Recover())
	return errors.Join(errs...)
}

// remove removes a campaign's folder, unless somebody who does not share the lock of
// this machine writes to it.
func (p *pruning) remove(dir string) error {
	release, err := results.Lock(dir)
	if err != nil {
		return err
	}
	defer release()
	away := filepath.Join(p.runs, prunedPrefix+filepath.Base(dir))
	if err := os.Rename(dir, away); err != nil {
		return err
	}
	return os.RemoveAll(away)
}

// roomText is an amount of disk.
func roomText(bytes int64) string { return figure.Quantity(float64(bytes), "B") }

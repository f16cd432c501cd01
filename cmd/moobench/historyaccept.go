package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/refusal"
)

// historyAcceptOptions are the flags of moobench history accept.
type historyAcceptOptions struct{ file, night, why string }

func historyAcceptVerb(t *terminal) *cobra.Command {
	var o historyAcceptOptions
	cmd := &cobra.Command{
		Use:   "accept SERIES [--night ID] [--why TEXT]",
		Short: "make a changed level the new normal",
		Long: `Makes the level that a series has now the new normal: checks no longer fail of the
change, and later nights are compared with it. The history keeps both levels, and
why. SERIES is a name as moobench history show takes it; with * it may be several.

Without --night it is the change that the check speaks of; with it, the one that
began in that night: its ID, its day (2026-11-21), or its commit.

` + exitHelp,
		Example: `  moobench history accept 'overhead/duration/mine*' --why "records carry a checksum now"
  moobench history accept '*/mine*' --night 2026-11-21`,
		Args: positional(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			return t.historyAccept(o, args[0], time.Now().UTC())
		},
	}
	f := cmd.Flags()
	registerHistory(f, &o.file)
	f.StringVar(&o.night, "night", "", "the first night of the new level: its ID, day or commit (default: that of the change the check speaks of)")
	f.StringVar(&o.why, "why", "", "why the new level is right, for whoever reads the history later")
	return cmd
}

// historyAccept accepts one change of each series that is named.
func (t *terminal) historyAccept(o historyAcceptOptions, pattern string, now time.Time) error {
	f, err := findings(o.file, history.Options{})
	if err != nil {
		return err
	}
	chosen, err := chooseSeries(f, []string{pattern})
	if err != nil {
		return err
	}
	var records []history.Record
	var said []string
	for i := range chosen {
		s := &chosen[i]
		c := o.change(s)
		if c == nil {
			continue
		}
		night := &s.Nights[c.Night]
		records = append(records, history.Record{
			Format: history.Format, Kind: history.KindAcceptance,
			Acceptance: &history.Acceptance{Key: s.Key, Night: night.ID, When: now, Why: o.why},
		})
		said = append(said, fmt.Sprintf("accepted: %s, %s since %s", s.Key, figure.SignedPercent(c.Share), nightName(night)))
	}
	if len(records) == 0 {
		return usageError{o.nothing(chosen)}
	}
	if _, err := history.Append(o.file, records...); err != nil {
		return err
	}
	for _, line := range said {
		fmt.Fprintln(t.out, visible(line))
	}
	fmt.Fprintf(t.out, "next: keep %s where your nights read it\n", visible(o.file))
	return nil
}

// change is the one that is accepted, or nil.
func (o *historyAcceptOptions) change(s *history.Series) *history.Change {
	if o.night == "" {
		if c := s.Standing(); acceptable(c, s) {
			return c
		}
		return nil
	}
	for i := range s.Changes {
		if c := &s.Changes[i]; acceptable(c, s) && isNight(&s.Nights[c.Night], o.night) {
			return c
		}
	}
	return nil
}

// acceptable says whether a change can be accepted: it may be real, and was not
// accepted yet.
func acceptable(c *history.Change, s *history.Series) bool {
	if c == nil || c.Night < 0 || c.Night >= len(s.Nights) {
		return false
	}
	return c.Over == "" && (c.State == history.StateConfirmed || c.State == history.StateDetected || c.State == history.StateSuspected)
}

// isNight says whether a night is called so.
func isNight(n *history.Night, name string) bool {
	return n.ID == name || n.When.UTC().Format("2006-01-02") == name ||
		len(name) >= 4 && n.Commit != "" && strings.HasPrefix(n.Commit, name)
}

// nightName is a night as one calls it.
func nightName(n *history.Night) string {
	if n.Commit == "" {
		return n.ID
	}
	return n.ID + " (" + n.Commit + ")"
}

// nothing says why there is nothing to accept.
func (o *historyAcceptOptions) nothing(chosen []history.Series) error {
	var there []string
	for i := range chosen {
		s := &chosen[i]
		for j := range s.Changes {
			if c := &s.Changes[j]; acceptable(c, s) {
				there = append(there, visible(fmt.Sprintf("%s in night %s", s.Key, nightName(&s.Nights[c.Night]))))
			}
		}
	}
	switch {
	case o.night != "" && len(there) > 0:
		return refusal.New(fmt.Errorf("no change that could be accepted began in night %q", o.night), "there is "+strings.Join(there, "; "))
	case len(chosen) == 1:
		return fmt.Errorf("%s has no change that could be accepted", visible(chosen[0].Key.String()))
	}
	return errors.New("none of these series has a change that could be accepted")
}

package main

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
)

func runVerb(t *terminal) *cobra.Command {
	var o session.Options
	cmd := &cobra.Command{
		Use:               "run [FILE]",
		Short:             "measure what a benchmarks.toml asks for, or a part of a plan",
		Args:              positional(cobra.MaximumNArgs(2)),
		ValidArgsFunction: tomlFiles,
		RunE: func(c *cobra.Command, args []string) error {
			o.Seeded = c.Flags().Changed("seed")
			if c.Flags().Changed("shard") && o.Shard.Count < 0 { // its value is an argument, or is asked from the engine
				var err error
				if args, err = shardAmong(args, &o.Shard); err != nil {
					return err
				}
			}
			if o.Lanes != 0 && o.Lanes < 2 {
				return outcome.Usage(fmt.Errorf("--lanes %d: at least two lanes are needed", o.Lanes))
			}
			if len(args) > 1 {
				return outcome.Usage(fmt.Errorf("run: one file, not %d", len(args)))
			}
			s, err := t.Open(o, args...)
			switch {
			case err != nil:
				return err
			case o.Dry:
				return s.Preview()
			case o.Shard.Count > 0:
				return s.RunShard(c.Context())
			case o.Lanes > 0:
				return s.RunLanes(c.Context(), args[0])
			}
			return s.Run(c.Context())
		},
	}
	registerRun(cmd, &o)
	registerShard(cmd.Flags(), &o.Shard)
	registerLanes(cmd.Flags(), &o)
	return cmd
}

// registerMeasuring adds the flags of whatever measures; when is that it does so only with
// another flag.
func registerMeasuring(f *pflag.FlagSet, when string, o *session.Options) {
	f.BoolVar(&o.Quiet, "quiet", false, when+"print no progress, only warnings")
	f.StringVar(&o.Standard, "standard", "", when+
		"report costs at the CPU speed at which the reference takes this long, such as 2373ns,\n"+
		"or at those of a file, which keeps new ones "+
		"(default: that of the file, else the user's own standards.json)")
	f.Var((*length)(&o.Wait), "wait",
		when+"wait this long, such as 2h, while another campaign is measured on this machine")
}

// length is a flag for a duration of at least 0.
type length time.Duration

// Set implements pflag.Value.
func (l *length) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = errors.New("it is negative")
	}
	*l = length(d)
	return err
}

// String implements pflag.Value; it returns "" for 0, so that help shows no default.
func (l *length) String() string {
	if *l == 0 {
		return ""
	}
	return time.Duration(*l).String()
}

// Type implements pflag.Value.
func (*length) Type() string { return "duration" }

// registerRun adds the flags of verbs that carry out a campaign.
func registerRun(cmd *cobra.Command, o *session.Options) {
	f := cmd.Flags()
	f.BoolVarP(&o.Dry, "dry-run", "n", false, "print cells, blocks, order, command lines, time and disk; start nothing")
	f.StringVarP(&o.Dir, "output", "o", "", "folder of the campaign (default results/runs/<time>-<name>)")
	f.StringVar(&o.Only, "only", "",
		"measure only the variants that match this pattern, and their baselines; * matches anything")
	f.StringVar(&o.Resume, "resume", "", "go on with the campaign in this folder")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the order (default: the file's, else a random one)")
	registerMeasuring(f, "", o)
	f.BoolVar(&o.Going, "keep-going", false, "go on with a variant whose first invocation recorded nothing")
	f.StringVar(&o.Kept, "artifacts", "",
		"keep what may change (agents given by path, snapshots, fixtures) in this folder\n"+
			"(default "+session.KeptFolder+" when there is a [gate], else nothing is kept)")
	complete(cmd, "only", variants)
	complete(cmd, "resume", campaigns(math.MaxInt))
}

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/fleet"
)

func planVerb(t *terminal) *cobra.Command {
	var o session.Options
	var output, pilot string
	cmd := &cobra.Command{
		Use:               "plan [FILE]",
		Short:             "write the plan of a benchmarks.toml into a file, for other hosts",
		Args:              positional(cobra.MaximumNArgs(1)),
		ValidArgsFunction: tomlFiles,
		RunE: func(c *cobra.Command, args []string) error {
			o.Seeded = c.Flags().Changed("seed")
			s, err := t.Open(o, args...)
			if err != nil {
				return err
			}
			return s.WritePlan(output, pilot)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "plan.json", "the file")
	f.StringVar(&pilot, "pilot", "",
		"a finished campaign of this file, whose pilots have decided how many blocks and calls there are")
	f.StringVar(&o.Only, "only", "",
		"plan only the variants that match this pattern, and their baselines; * matches anything")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the order (default: the file's, else a random one)")
	complete(cmd, "only", variants)
	complete(cmd, "pilot", campaigns(math.MaxInt))
	return cmd
}

func fetchVerb(t *terminal) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:               "fetch [FILE]",
		Short:             "put all that a plan takes into one file, for hosts without a network",
		Args:              positional(cobra.MaximumNArgs(1)),
		ValidArgsFunction: tomlFiles,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := t.Open(session.Options{}, args...)
			if err != nil {
				return err
			}
			return s.Fetch(c.Context(), output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "bundle.tar", "the file")
	return cmd
}

func packVerb(t *terminal) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:               "pack DIR",
		Short:             "put a finished campaign into one file, which can be moved",
		Args:              positional(cobra.ExactArgs(1)),
		ValidArgsFunction: campaigns(1),
		RunE: func(c *cobra.Command, args []string) error {
			store, err := results.Open(args[0])
			if err != nil {
				return err
			}
			if output == "" {
				output = store.Name() + ".tar"
			}
			if err := fleet.Pack(c.Context(), store, output); err != nil {
				return err
			}
			_, err = fmt.Fprintln(t.Out, console.Visible(output))
			return err
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the file (default: the folder's name and .tar)")
	return cmd
}

func unpackVerb(t *terminal) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "unpack FILE",
		Short: "make the folder of a packed campaign again, if all of it is as it was sealed",
		Args:  positional(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if output == "" {
				output = strings.TrimSuffix(args[0], ".tar")
				if output == args[0] {
					return outcome.Usage(errors.New("-o names the folder: the file's name does not end in .tar"))
				}
			}
			if _, err := fleet.Unpack(c.Context(), args[0], output); err != nil {
				return err
			}
			_, err := fmt.Fprintln(t.Out, console.Visible(output))
			return err
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the folder (default: the file's name without .tar)")
	return cmd
}

func mergeVerb(t *terminal) *cobra.Command {
	var dir, across string
	cmd := &cobra.Command{
		Use:   "merge SHARD…",
		Short: "make one campaign of the shards of a plan",
		Args:  positional(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if across != "" && across != "models" {
				return outcome.Usage(fmt.Errorf("--across %q: want models", across))
			}
			return t.Merge(c.Context(), args, dir, across != "")
		},
	}
	cmd.Flags().StringVar(&across, "across", "",
		"models: treat different CPU models as one population of machines (default: each has its own answers)")
	cmd.Flags().StringVarP(&dir, "output", "o", "",
		"folder of the campaign (default "+session.RunsFolder+"/<time>-merged)")
	return cmd
}

// shardFlag is --shard: 3/16; /16 with the index from the engine that started the process; or no
// value, with both from the engine.
type shardFlag struct{ of *results.Shard }

// fromEngine is the flag's value if none was given.
const fromEngine = "engine"

// registerShard adds --shard. The value may also be the next argument: see shardAmong.
func registerShard(f *pflag.FlagSet, to *results.Shard) {
	f.Var(shardFlag{to}, "shard",
		"measure one part of a plan: 3/16, or /16 or nothing where\nSlurm, Kubernetes or GitLab say which")
	f.Lookup("shard").NoOptDefVal = fromEngine
}

// shardAmong finds the value of --shard in a separate argument, or else asks the engine.
func shardAmong(args []string, to *results.Shard) ([]string, error) {
	for i, a := range args {
		if strings.Contains(a, "/") && strings.Trim(a, "0123456789/") == "" {
			if err := (shardFlag{to}).Set(a); err != nil {
				return nil, outcome.Usage(fmt.Errorf("--shard: %w", err))
			}
			return append(append([]string(nil), args[:i]...), args[i+1:]...), nil
		}
	}
	return args, (shardFlag{to}).engine("")
}

// Set implements pflag.Value.
func (s shardFlag) Set(text string) (err error) {
	switch {
	case text == fromEngine:
		s.of.Count = -1 // the caller, which has the arguments, decides
		return nil
	case strings.HasPrefix(text, "/"):
		return s.engine(text[1:])
	}
	*s.of, err = results.ParseShard(text)
	return err
}

// engine reads the shard from the environment of the engine that started this process. The number
// of shards may be given.
func (s shardFlag) engine(count string) error {
	index, all := "", ""
	for _, e := range []struct {
		index, all string
		first      int
	}{
		{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MAX", 1},
		{"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0},
		{"CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
	} {
		text, there := os.LookupEnv(e.index)
		if !there {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%s is %q, which is not a number", e.index, text)
		}
		index, all = strconv.Itoa(n+1-e.first), os.Getenv(e.all)
		break
	}
	if count != "" {
		all = count
	}
	if index == "" {
		return refusal.New(errors.New("no engine has set SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or CI_NODE_INDEX"),
			"say which part: --shard 3/16")
	}
	if all == "" {
		return refusal.New(fmt.Errorf("this is part %s, and how many there are is not known", index),
			"say it: --shard /16")
	}
	shard, err := results.ParseShard(index + "/" + all)
	*s.of = shard
	return err
}

// String implements pflag.Value.
func (s shardFlag) String() string {
	if s.of == nil || s.of.Count == 0 {
		return ""
	}
	return s.of.String()
}

// Type implements pflag.Value.
func (shardFlag) Type() string { return "part" }

// registerLanes adds --lanes, and the hidden --lane, which moobench uses to start each lane.
func registerLanes(f *pflag.FlagSet, o *session.Options) {
	f.IntVar(&o.Lanes, "lanes", 0,
		"measure a plan in this many lanes of this machine at once, each with its own cores,\n"+
			"and what they do to each other")
	f.BoolVar(&o.InLane, "lane", false, "measure the shard as a lane")
	f.Lookup("lane").Hidden = true
}

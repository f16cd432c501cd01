package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/cost"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
)

func costVerb(t *terminal) *cobra.Command {
	var q cost.Question
	var o session.Options
	var worseBy string
	limits := map[string]*string{}
	cmd := &cobra.Command{
		Use:   "cost AGENT [-- PROGRAM…]",
		Short: "measure what an agent costs, without a benchmarks.toml",
		Args: func(c *cobra.Command, args []string) error {
			named := len(args)
			if dash := c.ArgsLenAtDash(); dash >= 0 {
				named, q.Command = dash, args[dash:]
			}
			if named != 1 {
				return outcome.Usage(fmt.Errorf("cost: name one agent, and a program of yours after --: "+
					"%d names are given", named))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			q.Agent, o.Seeded = args[0], c.Flags().Changed("seed")
			q.Limits = map[string]string{}
			for flag, allowed := range limits {
				if c.Flags().Changed(flag) {
					q.Limits[flag] = *allowed
				}
			}
			if q.Against != "" || c.Flags().Changed("worse-by") || len(q.Limits) > 0 {
				q.WorseBy = worseBy
			}
			s, err := q.Open(&t.Lab, o)
			if err != nil {
				return err
			}
			if o.Dry {
				return s.Preview()
			}
			if q.Quick && !o.Quiet {
				fmt.Fprintln(t.Err, cost.QuickAbout)
			}
			s.Dir = s.Folder()
			err = s.Run(c.Context())
			if err == nil || errors.Is(err, outcome.ErrWorse) || errors.Is(err, outcome.ErrIncomplete) {
				fmt.Fprintf(t.Out, "file: %s\n", filepath.Join(s.Dir, "benchmarks.toml"))
				err = errors.Join(err, q.Pin(s))
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&q.As, "as", "",
		"framework of the catalogue whose options, and proof, an agent of your own takes, such as opentelemetry")
	f.StringVar(&q.Home, "home", "", "folder where AGENT is installed, if it can't be fetched")
	f.StringVar(&q.Against, "against", "",
		"another agent, measured in the same blocks: status 3 when AGENT is shown to be slower by more than --worse-by,\n"+
			"or to take more of what the other --worse flags limit")
	f.StringVar(&worseBy, "worse-by", "3%",
		"by how much AGENT may be slower than the other or, without one, than no agent")
	for _, l := range cost.Limits() {
		limits[l.Flag] = new(string)
		usual := ""
		if l.Usual != "" {
			usual = " (default with --against: " + l.Usual + ")"
		}
		f.StringVar(limits[l.Flag], l.Flag, "", "the same of "+l.About+"; none: not judged"+usual)
	}
	f.StringArrayVar(&q.Args, "arg", nil, "argument of the JVM with the agent; may be repeated")
	f.StringVar(&q.Pattern, "pattern", "", "what is monitored, such as 'com.acme..*.*(..)'")
	f.StringVar(&q.Proof, "proof", "", "how to see that the agent records")
	f.StringVar(&q.Server, "server", "", "how your server is started; {port} is the port that it listens on")
	f.StringArrayVar(&q.Get, "get", nil, "path, or URL, to request of the server; may be repeated")
	f.StringVar(&q.Ready, "ready", "", "path, or URL, that answers once the server is up (default: the first --get)")
	f.StringVar(&q.Expect, "expect", "", "regular expression that the server's answers match, or the program's output")
	f.IntVar(&q.Rate, "rate", 0, "requests per second that the server is sent (default: half of what it handles without an agent)")
	f.StringVar(&q.Within, "within", "", "timeout of the server's start-up, or of anything else, such as 10min")
	f.StringArrayVarP(&q.Env, "env", "e", nil, "NAME=VALUE in the program's environment; may be repeated")
	f.StringVar(&q.JDK, "jdk", "", "folder of the JDK that runs it, the one that holds bin/java")
	f.BoolVar(&q.Quick, "quick", false, "measure for a minute only: intervals are wide")
	f.IntVar(&q.Blocks, "blocks", 0,
		"number of blocks, however long they take (default: 20, or as many as fit into two minutes)")
	f.IntVar(&q.Memory, "memory-runs", -1,
		"runs of each in which only memory is measured; 0: none (default: 3, and no more than --blocks)")
	f.Lookup("memory-runs").DefValue = "0" // hides the default, which the help states in words
	f.BoolVar(&o.Going, "keep-going", false, "go on with an agent whose first run recorded nothing")
	f.StringVar(&q.Precision, "precision", "", "half-width of the interval, such as 2%: makes as many blocks as that takes")
	f.StringVar(&q.Save, "save", "", "write the benchmarks.toml to this file, too")
	f.BoolVarP(&o.Dry, "dry-run", "n", false, "print the plan, write the file that --save names; start nothing")
	f.StringVarP(&o.Dir, "output", "o", "", "folder of the campaign (default results/runs/<time>-<name>)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the order (default: a random one)")
	registerMeasuring(f, "", &o)
	return cmd
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/trace"
	"moobench/harness/jvm"
	"moobench/refusal"
	"moobench/results/safefile"
)

// followed is a program to log, and the reports to make.
type followed struct {
	verb       string
	wanted     trace.Wanted
	outputs    []string
	home, keep string
	kept       string
	runs       int
}

func traceVerb(t *terminal) *cobra.Command {
	var classes, annotations, patterns []string
	f := followed{verb: trace.Trace, runs: 1}
	cmd := &cobra.Command{
		Use:   "trace --class CLASS [-o FILE]… -- COMMAND… | trace --kept DIR",
		Short: "show which threads were in which methods of a program's objects, and when",
		Args: f.args(trace.Formats(false), func(args []string) (trace.Wanted, error) {
			return trace.Parse(args, classes, annotations, patterns)
		}),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), t) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&classes, "class", nil,
		"monitor all methods and constructors of this class; may be repeated, and have wildcards")
	flags.StringArrayVar(&annotations, "annotation", nil,
		"monitor methods with this annotation, or of classes with it; may be repeated")
	flags.StringArrayVar(&patterns, "pattern", nil,
		"monitor what this signature pattern matches, or no longer after a -; may be repeated")
	flags.StringVar(&f.kept, "log", "", "the same as --kept")
	f.flags(cmd, "file: .html a page, .dot the call graph for Graphviz, .json for Perfetto and\n"+
		"chrome://tracing, .folded stacks for flame graphs (default: tables, here); may be repeated")
	return cmd
}

func locksVerb(t *terminal) *cobra.Command {
	var patterns, logged []string
	var file string
	f := followed{verb: trace.Locks}
	cmd := &cobra.Command{
		Use:   "locks [-o FILE]… -- COMMAND… | locks --kept DIR",
		Short: "show which locks of a program cost most, who waits for whom, and which executions are outliers",
		Args: f.args(trace.Formats(true), func(args []string) (trace.Wanted, error) {
			return trace.ParseLocks(args, patterns, file, slices.DeleteFunc(logged, func(l string) bool {
				return l == ""
			}))
		}),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), t) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&patterns, "pattern", nil,
		"log locks in methods that this signature pattern matches, after a - in those it matches no more\n"+
			"(default: in all of the program); may be repeated")
	flags.StringVar(&file, "patterns", "", "read such patterns from this file, a line each")
	flags.StringSliceVar(&logged, "log", []string{"contention"},
		"log more than how long locks are held: contention (when they are asked for), callers (who called),\n"+
			"calls (of all methods: the call tree), explicit (java.util.concurrent.locks),\n"+
			"methods (of those of --pattern that get no lock, as if they were sections)")
	flags.IntVar(&f.runs, "runs", 1, "run the program this many times, one run after the other")
	flags.StringVar(&f.wanted.Against, "against", "",
		"compare with runs before: a folder that --keep kept, or a file x.metrics.json; exit status 3 where\n"+
			"threads are shown to wait longer, which takes four runs on each side")
	f.flags(cmd, "file: .html a page, .csv every execution, "+
		".metrics.csv and .metrics.json the metrics of each section\n"+
		"and lock, .dot the call graph for Graphviz, .json for Perfetto and chrome://tracing, .folded stacks\n"+
		"for flame graphs (default: tables, here); may be repeated")
	return cmd
}

// flags adds the flags of both verbs.
func (f *followed) flags(cmd *cobra.Command, output string) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.outputs, "output", "o", nil, output)
	flags.DurationVar(&f.wanted.Window[0], "from", 0, "draw from this time on, counted from the first event")
	flags.DurationVar(&f.wanted.Window[1], "to", 0, "draw up to this time, counted from the first event (default: to the last)")
	flags.StringVar(&f.keep, "keep", "", "keep the logs of events in this folder, which has none yet")
	flags.StringVar(&f.kept, "kept", "", "run nothing, and show the logs that --keep kept in this folder")
	flags.StringVar(&f.home, "home", "", "JDK that builds the agent the first time (default: the one that is found)")
}

// args parses the command, and refuses outputs that would fail after the program has run.
func (f *followed) args(formats []string, parse func(args []string) (trace.Wanted, error)) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := f.conflict(cmd, args); err != nil {
			return outcome.Usage(err)
		}
		for _, name := range f.outputs {
			if !trace.Knows(name, formats) {
				err := fmt.Errorf("%s: -o %s: %q is no known format", f.verb, name, filepath.Ext(name))
				return outcome.Usage(refusal.New(err, "end it with one of "+strings.Join(formats, ", ")))
			}
			if _, err := os.Stat(filepath.Dir(name)); err != nil {
				return outcome.Usage(fmt.Errorf("%s: -o %s: %w", f.verb, name, err))
			}
		}
		if f.keep != "" {
			if err := trace.Fresh(f.keep); err != nil {
				return outcome.Usage(fmt.Errorf("%s: --keep: %w", f.verb, err))
			}
		}
		if f.wanted.Against != "" {
			if err := trace.CheckAgainst(f.wanted.Against); err != nil {
				return outcome.Usage(fmt.Errorf("%s: --against: %w", f.verb, err))
			}
		}
		window, against := f.wanted.Window, f.wanted.Against
		var w trace.Wanted
		var err error
		if f.kept != "" {
			w, err = trace.Kept(f.verb, f.kept)
		} else {
			w, err = parse(args)
		}
		if err != nil {
			return outcome.Usage(err)
		}
		f.wanted, f.wanted.Window, f.wanted.Against = w, window, against
		return nil
	}
}

// conflict returns an error for options that exclude each other: some are for running a program,
// others for reading its logs again.
func (f *followed) conflict(cmd *cobra.Command, args []string) error {
	window := f.wanted.Window
	switch {
	case window[0] < 0 || window[1] < 0 || window[1] > 0 && window[1] <= window[0]:
		return fmt.Errorf("%s: --to is not after --from", f.verb)
	case f.runs < 1 || f.runs > trace.MostRuns:
		return fmt.Errorf("%s: --runs %d: want 1 to %d", f.verb, f.runs, trace.MostRuns)
	case f.kept == "" && len(args) == 0:
		err := fmt.Errorf("%s: the program is missing", f.verb)
		return refusal.New(err, "give it after --, such as -- java -jar app.jar; --kept DIR reads logs that were kept")
	case f.kept == "":
		return nil
	case len(args) > 0:
		return refusal.New(fmt.Errorf("%s: --kept reads logs, and runs no program", f.verb),
			"leave out --kept, or what follows --")
	}
	for _, name := range []string{"class", "annotation", "pattern", "patterns", "log", "keep", "home", "runs"} {
		if name == "log" && f.verb == trace.Trace { // for trace, --log is another name of --kept
			continue
		}
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed {
			err := fmt.Errorf("%s: --%s needs a program to run", f.verb, name)
			return refusal.New(err, "the logs hold what was monitored then: leave it out with --kept")
		}
	}
	return nil
}

// run runs the program, or reads its logs again, and writes the reports.
func (f *followed) run(ctx context.Context, t *terminal) error {
	if f.kept != "" {
		return f.show(t, f.kept)
	}
	jars, err := agentJars(ctx, t, f.home)
	if err != nil {
		return err
	}
	if ended := trace.Sweep(); len(ended) > 0 {
		t.Warn("a moobench that was killed had left programs running, which are ended: "+strings.Join(ended, ", "), "")
	}
	dir := f.keep
	if dir == "" {
		var release func()
		if dir, release, err = trace.Folder(); err != nil {
			return err
		}
		defer release()
	} else if err := safefile.MakeFolder(dir); err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := f.wanted.Keep(dir, build()); err != nil {
		return err
	}
	ended, err := f.repeat(ctx, t, jars, dir)
	if err != nil {
		return err
	}
	if err := f.show(t, dir); err != nil {
		return err
	}
	return ended
}

// repeat runs the program as often as requested; ended is its first failure.
func (f *followed) repeat(ctx context.Context, t *terminal, jars jvm.AgentJars, dir string) (ended, err error) {
	fmt.Fprintln(t.Err, trace.Foreword)
	for run := 1; run <= f.runs && (run == 1 || ctx.Err() == nil); run++ {
		into := dir
		if f.runs > 1 {
			fmt.Fprintf(t.Err, "moobench: run %d of %d\n", run, f.runs)
			into = trace.RunFolder(dir, run)
			if err := safefile.MakeFolder(into); err != nil {
				return nil, err
			}
		}
		state, err := trace.Run(ctx, t.Console, jars, f.wanted, into)
		if err != nil {
			return nil, err
		}
		if !state.Success() {
			failed := outcome.ProgramError{State: state}
			t.Warn(failed.Error(), "")
			if ended == nil {
				ended = failed
			}
		}
	}
	return ended, nil
}

// show writes the reports on the logs in a folder.
func (f *followed) show(t *terminal, dir string) error {
	r, err := trace.Find(f.wanted, dir)
	if err != nil {
		return err
	}
	for _, name := range f.outputs {
		if err := r.Save(name, build()); err != nil {
			return err
		}
		fmt.Fprintf(t.Out, "written: %s\n", name)
	}
	if len(f.outputs) == 0 {
		if err := r.Print(t.Console); err != nil {
			return err
		}
	}
	said, worse, err := r.Verdict(build())
	switch {
	case err != nil:
		return err
	case said != "" && len(f.outputs) > 0:
		fmt.Fprintln(t.Out, said)
	}
	if worse {
		return outcome.ErrWorse
	}
	return nil
}

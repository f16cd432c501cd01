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
	"moobench/refusal"
	"moobench/results/safefile"
)

// followed is a program whose events are logged, and what is made of them.
type followed struct {
	verb       string
	wanted     trace.Wanted
	outputs    []string
	home, keep string
	kept       string
}

func traceVerb(t *terminal) *cobra.Command {
	var classes, annotations, patterns []string
	f := followed{verb: trace.Trace}
	cmd := &cobra.Command{
		Use:   "trace --class CLASS [-o FILE]… -- COMMAND… | trace --kept DIR",
		Short: "show which threads were in which methods of a program's objects, and when",
		Args: f.args(trace.Formats(false), func(args []string) (trace.Wanted, error) {
			return trace.Parse(args, classes, annotations, patterns)
		}),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), t) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&classes, "class", nil, "monitor all methods and constructors of this class; may be repeated, and have wildcards")
	flags.StringArrayVar(&annotations, "annotation", nil, "monitor what is annotated so, or is of a class that is; may be repeated")
	flags.StringArrayVar(&patterns, "pattern", nil, "monitor what this signature pattern matches, after a - what it matches no more; may be repeated")
	flags.StringVar(&f.kept, "log", "", "the same as --kept")
	f.flags(cmd, "file: .html a page, .dot the call graph for Graphviz, .json for Perfetto and\nchrome://tracing, .folded stacks for flame graphs (default: tables, here); may be repeated")
	return cmd
}

func locksVerb(t *terminal) *cobra.Command {
	var patterns, logged []string
	var file string
	f := followed{verb: trace.Locks}
	cmd := &cobra.Command{
		Use:   "locks [-o FILE]… -- COMMAND… | locks --kept DIR",
		Short: "show which locks of a program cost most, who waits for whom, and what takes unlike usual",
		Args: f.args(trace.Formats(true), func(args []string) (trace.Wanted, error) {
			return trace.ParseLocks(args, patterns, file, slices.DeleteFunc(logged, func(l string) bool { return l == "" }))
		}),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), t) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&patterns, "pattern", nil, "log locks in methods that this signature pattern matches, after a - in those it matches no more\n(default: in all of the program); may be repeated")
	flags.StringVar(&file, "patterns", "", "read such patterns from this file, a line each")
	flags.StringSliceVar(&logged, "log", []string{"contention"}, "log besides how long locks are had: contention (when they are asked for), callers (who called),\ncalls (of all methods: the call tree), explicit (java.util.concurrent.locks)")
	f.flags(cmd, "file: .html a page, .csv every execution, .dot the call graph for Graphviz, .json for Perfetto\nand chrome://tracing, .folded stacks for flame graphs (default: tables, here); may be repeated")
	return cmd
}

// flags are those that both verbs have.
func (f *followed) flags(cmd *cobra.Command, output string) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.outputs, "output", "o", nil, output)
	flags.DurationVar(&f.wanted.Window[0], "from", 0, "draw from here on, from the first event")
	flags.DurationVar(&f.wanted.Window[1], "to", 0, "draw to here, from the first event (default: to the last)")
	flags.StringVar(&f.keep, "keep", "", "keep the logs of events in this folder, which has none yet")
	flags.StringVar(&f.kept, "kept", "", "run nothing, and show the logs that --keep kept in this folder")
	flags.StringVar(&f.home, "home", "", "JDK that builds the agent the first time (default: the one that is found)")
}

// args reads the command, and refuses what could not be written after the program has run.
func (f *followed) args(formats []string, parse func(args []string) (trace.Wanted, error)) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := f.conflict(cmd, args); err != nil {
			return outcome.Usage(err)
		}
		for _, name := range f.outputs {
			if !trace.Known(name, formats) {
				return outcome.Usage(refusal.New(fmt.Errorf("%s: -o %s: no format is known by %q", f.verb, name, filepath.Ext(name)), "end it with one of "+strings.Join(formats, ", ")))
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
		window := f.wanted.Window
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
		f.wanted, f.wanted.Window = w, window
		return nil
	}
}

// conflict is what can't be asked for at once: a program is run, or logs of one are read again.
func (f *followed) conflict(cmd *cobra.Command, args []string) error {
	window := f.wanted.Window
	switch {
	case window[0] < 0 || window[1] < 0 || window[1] > 0 && window[1] <= window[0]:
		return fmt.Errorf("%s: --to is not after --from", f.verb)
	case f.kept == "" && len(args) == 0:
		return refusal.New(fmt.Errorf("%s: the program is missing", f.verb), "behind --, such as -- java -jar app.jar; --kept DIR reads logs that were kept")
	case f.kept == "":
		return nil
	case len(args) > 0:
		return refusal.New(fmt.Errorf("%s: --kept reads logs, and runs no program", f.verb), "leave out --kept, or what is behind --")
	}
	for _, name := range []string{"class", "annotation", "pattern", "patterns", "log", "keep", "home"} {
		if name == "log" && f.verb == trace.Trace { // --kept by its other name
			continue
		}
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed {
			return refusal.New(fmt.Errorf("%s: --%s is of a program that is run", f.verb, name), "what was monitored is as it was: leave it out beside --kept")
		}
	}
	return nil
}

// run runs the program, or reads its logs again, and writes what its events say.
func (f *followed) run(ctx context.Context, t *terminal) error {
	if f.kept != "" {
		return f.show(t, f.kept)
	}
	jars, err := agentJars(ctx, t, f.home)
	if err != nil {
		return err
	}
	dir := f.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "moobench-trace-"); err != nil {
			return fmt.Errorf("making a folder for events: %w", err)
		}
		defer os.RemoveAll(dir)
	} else if err := safefile.MakeFolder(dir); err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := f.wanted.Keep(dir, build()); err != nil {
		return err
	}
	fmt.Fprintln(t.Err, trace.Foreword)
	state, err := trace.Run(ctx, t.Console, jars, f.wanted, dir)
	if err != nil {
		return err
	}
	var ended error // by the program itself
	if !state.Success() {
		ended = outcome.ProgramError{State: state}
		t.Warn(ended.Error(), "")
	}
	if err := f.show(t, dir); err != nil {
		return err
	}
	return ended
}

// show writes what the logs in a folder say.
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
	if len(f.outputs) > 0 {
		return nil
	}
	return r.Print(t.Console)
}

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
	wanted     trace.Wanted
	outputs    []string
	home, keep string
}

func traceVerb(t *terminal) *cobra.Command {
	var classes, annotations, patterns []string
	var f followed
	cmd := &cobra.Command{
		Use:   "trace --class CLASS [-o FILE]… -- COMMAND…",
		Short: "show which threads were in which methods of a program's objects, and when",
		Args: f.args("trace", trace.Formats(false), func(args []string) (trace.Wanted, error) {
			return trace.Parse(args, classes, annotations, patterns)
		}),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), t) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&classes, "class", nil, "monitor all methods and constructors of this class; may be repeated, and have wildcards")
	flags.StringArrayVar(&annotations, "annotation", nil, "monitor what is annotated so, or is of a class that is; may be repeated")
	flags.StringArrayVar(&patterns, "pattern", nil, "monitor what this signature pattern matches, after a - what it matches no more; may be repeated")
	f.flags(cmd, "file: .html a page, .dot the call graph for Graphviz, .json for Perfetto and\nchrome://tracing, .folded stacks for flame graphs (default: tables, here); may be repeated")
	return cmd
}

func locksVerb(t *terminal) *cobra.Command {
	var patterns, logged []string
	var file string
	var f followed
	cmd := &cobra.Command{
		Use:   "locks [-o FILE]… -- COMMAND…",
		Short: "show which locks of a program cost most, who waits for whom, and what takes unlike usual",
		Args: f.args("locks", trace.Formats(true), func(args []string) (trace.Wanted, error) {
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
	flags.StringVar(&f.home, "home", "", "JDK that builds the agent the first time (default: the one that is found)")
}

// args reads the command, and refuses what could not be written after the program has run.
func (f *followed) args(verb string, formats []string, parse func(args []string) (trace.Wanted, error)) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return outcome.Usage(refusal.New(fmt.Errorf("%s: the program is missing", verb), "behind --, such as -- java -jar app.jar"))
		}
		for _, name := range f.outputs {
			if end := filepath.Ext(name); !slices.Contains(formats, end) {
				return outcome.Usage(refusal.New(fmt.Errorf("%s: -o %s: no format is known by %q", verb, name, end), "end it with one of "+strings.Join(formats, ", ")))
			}
			if _, err := os.Stat(filepath.Dir(name)); err != nil {
				return outcome.Usage(fmt.Errorf("%s: -o %s: %w", verb, name, err))
			}
		}
		if f.keep != "" {
			if err := trace.Fresh(f.keep); err != nil {
				return outcome.Usage(fmt.Errorf("%s: --keep: %w", verb, err))
			}
		}
		window := f.wanted.Window
		w, err := parse(args)
		if err != nil {
			return outcome.Usage(err)
		}
		f.wanted, f.wanted.Window = w, window
		return nil
	}
}

// run runs the program, and writes what its events say.
func (f *followed) run(ctx context.Context, t *terminal) error {
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
	state, err := trace.Run(ctx, t.Console, jars, f.wanted, dir)
	if err != nil {
		return err
	}
	var ended error // by the program itself
	if !state.Success() {
		ended = outcome.ProgramError{State: state}
		t.Warn(ended.Error(), "")
	}
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
	return ended
}

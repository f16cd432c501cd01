package main

import (
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

func traceVerb(t *terminal) *cobra.Command {
	var classes, annotations, patterns, outputs []string
	var home, keep string
	var w trace.Wanted
	cmd := &cobra.Command{
		Use:   "trace --class CLASS [-o FILE]… -- COMMAND…",
		Short: "show which threads were in which methods of a program's objects, and when",
		Args: func(_ *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return outcome.Usage(refusal.New(fmt.Errorf("trace: the program is missing"), "behind --, such as -- java -jar app.jar"))
			}
			for _, name := range outputs {
				if end := filepath.Ext(name); !slices.Contains(trace.Formats(), end) {
					return outcome.Usage(refusal.New(fmt.Errorf("trace: -o %s: no format is known by %q", name, end), "end it with one of "+strings.Join(trace.Formats(), ", ")))
				}
				if _, err := os.Stat(filepath.Dir(name)); err != nil { // before the program runs, not after it
					return outcome.Usage(fmt.Errorf("trace: -o %s: %w", name, err))
				}
			}
			window := w.Window
			if w, err = trace.Parse(args, classes, annotations, patterns); err != nil {
				return outcome.Usage(err)
			}
			w.Window = window
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			jars, err := agentJars(c.Context(), t, home)
			if err != nil {
				return err
			}
			dir := keep
			if keep == "" {
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
			state, err := trace.Run(c.Context(), t.Console, jars, w, dir)
			if err != nil {
				return err
			}
			var ended error // by the program itself
			if !state.Success() {
				ended = outcome.ProgramError{State: state}
				t.Warn(ended.Error(), "")
			}
			r, err := trace.Find(w, dir)
			if err != nil {
				return err
			}
			for _, name := range outputs {
				if err := r.Save(name, build()); err != nil {
					return err
				}
				fmt.Fprintf(t.Out, "written: %s\n", name)
			}
			if len(outputs) == 0 {
				if err := r.Print(t.Console); err != nil {
					return err
				}
			}
			return ended
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&classes, "class", nil, "monitor all methods and constructors of this class; may be repeated, and have wildcards")
	f.StringArrayVar(&annotations, "annotation", nil, "monitor what is annotated so, or is of a class that is; may be repeated")
	f.StringArrayVar(&patterns, "pattern", nil, "monitor what this signature pattern matches, after a - what it matches no more; may be repeated")
	f.StringArrayVarP(&outputs, "output", "o", nil, "file: .html a page, .dot the call graph for Graphviz, .json for Perfetto and\nchrome://tracing, .folded stacks for flame graphs (default: tables, here); may be repeated")
	f.DurationVar(&w.Window[0], "from", 0, "draw from here on, from the first event")
	f.DurationVar(&w.Window[1], "to", 0, "draw to here, from the first event (default: to the last)")
	f.StringVar(&keep, "keep", "", "keep the logs of events in this folder")
	f.StringVar(&home, "home", "", "JDK that builds the agent the first time (default: the one that is found)")
	return cmd
}

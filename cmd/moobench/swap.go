package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/swap"
	"moobench/cmd/internal/trace"
	"moobench/harness/jvm"
	"moobench/harness/pattern"
	"moobench/refusal"
	"moobench/results/safefile"
)

func swapVerb(t *terminal) *cobra.Command {
	var remove []string
	var replace, home, format, keep string
	var list bool
	cmd := &cobra.Command{
		Use:   "swap PID [PATTERN…]",
		Short: "put probes into a running JVM, and take them out again",
		Args:  positional(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			pid, err := strconv.Atoi(args[0])
			if err != nil {
				return outcome.Usage(refusal.New(fmt.Errorf("swap: %q is not a process number", args[0]),
					"jps, or ps -C java, shows them"))
			}
			var text []byte
			if c.Flags().Changed("replace") {
				if text, err = readPatterns(replace, c.InOrStdin()); err != nil {
					return outcome.Usage(err)
				}
			}
			w, err := swap.Parse(args[1:], remove, replace, string(text))
			if err != nil {
				return outcome.Usage(err)
			}
			if err := jvm.IsJVM(pid); err != nil {
				return err
			}
			jars, err := agentJars(c.Context(), t, home)
			if err != nil {
				return err
			}
			if keep != "" {
				if w.Keep, err = keepFolder(keep); err != nil {
					return err
				}
			}
			r, err := swap.Do(c.Context(), pid, jars, agentSettings(c.Flags()), w)
			if err != nil {
				return err
			}
			return r.Print(t.Console, format == "json", list)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&remove, "remove", nil, "take a pattern off the list, whatever its sign; may be repeated")
	f.StringVar(&replace, "replace", "",
		"put the list of a file in place of this one: a pattern a line, # is a comment, - is standard input")
	f.BoolVar(&list, "list", false, "show patterns, monitored methods and records, also after a change")
	registerFormat(cmd, &format, textOrJSON)
	registerJSON(cmd, &format)
	f.String("linger", "",
		"keep a probe that is switched off for this long, such as 60s: on and off take microseconds, without a pause")
	f.String("probe", "", "whose records: moobench, kieker, or auto (the default)")
	f.StringVar(&keep, "keep", "",
		"keep each entry and exit in this folder, for moobench trace --kept, in place of records that are counted")
	f.String("file", "", "file of patterns that the agent watches, as the JVM sees it")
	f.String("interval", "", "seconds between two looks at --file; 0 is never again")
	f.Bool("update", false, "write changes from elsewhere into --file")
	f.Bool("jmx", false, "register the MBean moobench:type=Hotswap")
	f.StringVar(&home, "home", "", "JDK that builds the agent the first time (default: the one that is found)")
	return cmd
}

// agentJars builds the agent's jars if needed.
func agentJars(ctx context.Context, t *terminal, home string) (jvm.AgentJars, error) {
	fixtures, err := t.Fixtures(home)
	if err != nil {
		return jvm.AgentJars{}, err
	}
	built, err := fixtures.Build(ctx)
	if err != nil {
		return jvm.AgentJars{}, err
	}
	return jvm.AgentJars{Agent: built.Jar("hotswap"), Kernel: built.Jar("kernel"), Probes: built.Jar("probes")}, nil
}

// agentSettings returns the given settings of the agent, in its own format.
func agentSettings(f *pflag.FlagSet) (given []string) {
	for _, name := range []string{"linger", "probe", "file", "interval", "update", "jmx"} {
		if flag := f.Lookup(name); flag.Value.String() != flag.DefValue {
			given = append(given, name+"="+flag.Value.String())
		}
	}
	return given
}

// keepFolder creates the folder for events, and returns its absolute path, because the JVM has
// another working directory.
func keepFolder(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding the folder for events: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("making the folder for events: %w", err)
	}
	return dir, trace.Fresh(dir)
}

func readPatterns(file string, in io.Reader) (text []byte, err error) {
	if file == "-" {
		if text, err = io.ReadAll(io.LimitReader(in, pattern.FileMost)); err != nil {
			err = fmt.Errorf("reading the patterns from standard input: %w", err)
		}
	} else if text, err = safefile.Read(file, pattern.FileMost); err != nil {
		err = fmt.Errorf("reading the patterns: %w", err)
	}
	return text, err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/harness/jvm"
	"moobench/refusal"
)

// swapFlags is what moobench swap was asked.
type swapFlags struct {
	remove                []string
	replace               string
	list, json            bool
	linger, probe, file   string
	interval, home        string
	update, jmx, replaced bool
}

func swapVerb(t *terminal) *cobra.Command {
	var f swapFlags
	cmd := &cobra.Command{
		Use:   "swap PID [PATTERN…]",
		Short: "put probes into a running JVM, and take them out again",
		Long: `Attaches moobench's hotswap agent to any running HotSpot JVM, unless it is there
already, and changes which methods it monitors. The JVM is not restarted; a
change stops its threads once, for as long as the pause that is printed.

The agent keeps a list of patterns, of which the newest that matches a method
decides; a method that none matches is not monitored. Patterns are those of
Kieker's adaptive monitoring:

  '+ public * com.acme..*.*(..)'       every public method below com.acme that
                                       declares no exception
  '+ * com.acme..*.*(..) throws ..'    every method, whatever it declares
  '- * com.acme..*.get*()'             but no getters: their probes are taken out
  '+ new com.acme.Order.<init>(..)'    constructors

Several changes are made at once, in one pause. What is not loaded yet is
instrumented when it is loaded. Without patterns, the list, the methods that are
monitored now, and the records so far are shown. Records go to Kieker's
MonitoringController where Kieker is on the JVM's class path, otherwise into a
bounded buffer in memory, which counts them.

--linger, --probe, --file, --interval, --update and --jmx are settings of the
agent; one that is there already keeps those that it began with.

` + exitHelp,
		Example: `  moobench swap 4711 '+ public * com.acme..*.*(..)'
  moobench swap 4711 '- public * com.acme..*.*(..)'
  moobench swap 4711 --list
  moobench swap 4711 --remove 'public * com.acme..*.*(..)'
  moobench swap 4711 --replace patterns.txt --json
  moobench swap 4711 --linger 60s '+ * com.acme.Order.*(..)'`,
		Args: positional(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			f.replaced = c.Flags().Changed("replace")
			return f.run(c.Context(), t, c.InOrStdin(), args)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *swapFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.remove, "remove", nil, "take a pattern off the list, whatever its sign; may be repeated")
	flags.StringVar(&f.replace, "replace", "", "put the list of a file in place of this one: a pattern a line, # is a comment, - is standard input")
	flags.BoolVar(&f.list, "list", false, "show patterns, monitored methods and records, also after a change")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.linger, "linger", "", "keep a probe that is switched off for so long, such as 60s: on and off take microseconds, and no pause")
	flags.StringVar(&f.probe, "probe", "", "whose records: moobench, kieker, or auto (the default)")
	flags.StringVar(&f.file, "file", "", "file of patterns that the agent watches, as the JVM sees it")
	flags.StringVar(&f.interval, "interval", "", "seconds between two looks at --file; 0 is never again")
	flags.BoolVar(&f.update, "update", false, "write changes from elsewhere into --file")
	flags.BoolVar(&f.jmx, "jmx", false, "register the MBean moobench:type=Hotswap")
	flags.StringVar(&f.home, "home", "", "JDK that builds the agent the first time (default: the one that is found)")
}

func (f *swapFlags) run(ctx context.Context, t *terminal, in io.Reader, args []string) error {
	pid, err := strconv.Atoi(args[0])
	if err != nil {
		return usageError{refusal.New(fmt.Errorf("swap: %q is no process number", args[0]), "jps, or ps -C java, shows them")}
	}
	w, err := f.wanted(in, args[1:])
	if err != nil {
		return err
	}
	if err := jvm.IsJVM(pid); err != nil {
		return err
	}
	built, err := buildFixtures(ctx, t, f.home)
	if err != nil {
		return err
	}
	jars := jvm.AgentJars{Agent: built.Jar("hotswap"), Kernel: built.Jar("kernel"), Probes: built.Jar("probes")}
	agent, err := jvm.AttachAgent(ctx, pid, jars, f.settings()...)
	if err != nil {
		return err
	}
	s := newSwapped(pid, agent.Hello())
	if err := errors.Join(s.carryOut(ctx, agent, w), agent.Close()); err != nil {
		return err
	}
	return f.print(t, s)
}

// settings are those that were given, as the agent reads them.
func (f *swapFlags) settings() []string {
	var all []string
	for name, value := range map[string]string{"linger": f.linger, "probe": f.probe, "file": f.file, "interval": f.interval} {
		if value != "" {
			all = append(all, name+"="+value)
		}
	}
	for name, on := range map[string]bool{"update": f.update, "jmx": f.jmx} {
		if on {
			all = append(all, name+"=true")
		}
	}
	return all
}

// wanted is what is to be changed: nothing, or the list that is put in place of
// the agent's, and then patterns that are taken off and added.
type wanted struct {
	replace  bool
	list     []string
	remove   []string // without signs
	patterns []string // with signs
}

func (f *swapFlags) wanted(in io.Reader, patterns []string) (wanted, error) {
	w := wanted{replace: f.replaced}
	var wrong []error
	add := func(to *[]string, text, where string) {
		pattern := strings.Join(strings.Fields(text), " ")
		if sign(pattern) == "" || strings.ContainsRune(pattern, ';') {
			wrong = append(wrong, refusal.New(fmt.Errorf("%s%q is not + or - and one pattern", where, text), "in quotes, such as '+ public * com.acme..*.*(..)'"))
		}
		*to = append(*to, pattern)
	}
	for _, p := range patterns {
		add(&w.patterns, p, "")
	}
	for _, p := range f.remove {
		if p = strings.Join(strings.Fields(p), " "); sign(p) != "" {
			p = unsigned(p)
		}
		w.remove = append(w.remove, p)
	}
	if f.replaced {
		text, err := readPatterns(f.replace, in)
		if err != nil {
			return w, usageError{err}
		}
		for i, line := range strings.Split(text, "\n") {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				add(&w.list, line, fmt.Sprintf("%s:%d: ", f.replace, i+1))
			}
		}
	}
	if len(wrong) > 0 {
		return w, usageError{errors.Join(wrong...)}
	}
	return w, nil
}

func readPatterns(file string, in io.Reader) (string, error) {
	if file == "-" {
		text, err := io.ReadAll(in)
		if err != nil {
			return "", fmt.Errorf("reading the patterns from standard input: %w", err)
		}
		return string(text), nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("reading the patterns: %w", err)
	}
	return string(text), nil
}

// sign is + or -, "" when a pattern begins with neither.
func sign(pattern string) string {
	if pattern != "" && (pattern[0] == '+' || pattern[0] == '-') && len(pattern) > 1 {
		return pattern[:1]
	}
	return ""
}

func unsigned(pattern string) string { return strings.TrimSpace(pattern[1:]) }

// shieldPatterns keeps arguments that begin with a minus and a blank from being
// read as flags, which they never are.
func shieldPatterns(args []string) []string {
	shielded := make([]string, len(args))
	for i, a := range args {
		if strings.HasPrefix(a, "- ") {
			a = " " + a
		}
		shielded[i] = a
	}
	return shielded
}

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moobench/cmd/internal/outcome"
	"moobench/results"
)

// verb is a row of the table of verbs.
type verb struct {
	build func(*terminal) *cobra.Command
	// measures: it puts back what an earlier run left changed on the machine, and says so itself.
	measures bool
	rules    []rule
}

// rule says which flags contradict each other, or need another one.
type rule struct {
	flags []string // if one of these is given,
	not   []string // none of these may be; nil without needs: no two of flags go together
	needs string   // this one must be
	why   string   // ends the message
}

// verbs is the table of them, in the order of the help.
func verbs() []verb {
	return []verb{
		{build: runVerb, measures: true, rules: []rule{
			{flags: []string{"output", "only", "seed"}, not: []string{"resume"}, why: "a campaign goes on with the plan as it is"},
			{flags: []string{"lanes"}, not: []string{"shard"}, why: "cut the plan into more shards, one a lane, or measure all of it in lanes of one machine"},
			{flags: []string{"lanes"}, not: []string{"resume"}, why: "what lanes have measured goes on with the same command"},
			{flags: []string{"standard"}, not: []string{"lanes", "shard"}, why: "name the standard speed in [machine] of benchmarks.toml, and plan again"},
			{flags: []string{"standard"}, not: []string{"resume"}, why: "a campaign goes on with its own standard speed"},
		}},
		{build: costVerb, measures: true, rules: []rule{
			{flags: []string{"quick", "blocks", "precision"}, why: "each says how much is measured: give one"},
			{flags: []string{"get", "ready", "rate"}, needs: "server", why: "give --server as well"},
		}},
		{build: reportVerb},
		{build: compareVerb},
		{build: listVerb},
		{build: doctorVerb, rules: []rule{
			{flags: []string{"json", "format", "calibrate", "seed", "time", "quiet", "pairs"}, not: []string{"restore"}, why: "it goes alone"},
			{flags: []string{"seed", "time", "quiet"}, needs: "calibrate"},
		}},
		{build: initVerb},
		{build: testVerb},
		{build: swapVerb},
		{build: traceVerb},
		{build: locksVerb},
		{build: exportVerb, rules: []rule{{flags: []string{"invocation", "cell"}, why: "both choose: give one of them"}}},
		{build: importVerb},
		{build: versionVerb},
		{build: replicateVerb, measures: true, rules: []rule{
			{flags: []string{"list", "check", "report", "resume", "dry-run"}, why: "each does something else"},
			{flags: []string{"output", "only", "seed", "scale"}, not: []string{"list", "check", "report", "resume"}, why: "these begin a campaign"},
			{flags: []string{"standard"}, not: []string{"resume"}, why: "a campaign goes on with its own standard speed"},
		}},
		{build: historyVerb},
		{build: confirmVerb, measures: true, rules: []rule{
			{
				flags: []string{"series", "night", "least", "blocks", "seed", "output", "dry-run"}, not: []string{"resume"},
				why: "a confirmation goes on as it was planned",
			},
			{flags: []string{"standard"}, not: []string{"resume"}, why: "a campaign goes on with its own standard speed"},
		}},
		{build: pruneVerb},
		{build: verifyVerb},
		{build: planVerb},
		{build: fetchVerb},
		{build: mergeVerb},
		{build: packVerb},
		{build: unpackVerb},
	}
}

// command is the verb as it is called: its rules are checked before it runs.
func (v verb) command(t *terminal) *cobra.Command {
	c := v.build(t)
	check := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		var broken []error
		for _, r := range v.rules {
			broken = append(broken, r.check(c.Flags()))
		}
		if err := errors.Join(broken...); err != nil {
			return outcome.Usage(err)
		}
		if check != nil {
			return check(c, args)
		}
		return nil
	}
	return c
}

// check returns an error that names the given flags that break the rule.
func (r rule) check(f *pflag.FlagSet) error {
	given := func(names ...string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !asksFor(f, name) })
	}
	flags, others := given(r.flags...), given(r.not...)
	text := ""
	switch {
	case len(flags) == 0:
	case r.needs != "" && !asksFor(f, r.needs):
		text = dashed(f, flags) + plural(flags, " goes with ", " go with ") + dashed(f, []string{r.needs})
	case r.needs == "" && r.not == nil && len(flags) > 1:
		text = dashed(f, flags) + " don't go together"
	case len(others) > 0:
		text = dashed(f, flags) + plural(flags, " doesn't go with ", " don't go with ") + dashed(f, others)
	}
	if text == "" {
		return nil
	}
	if r.why != "" {
		text += ": " + r.why
	}
	return errors.New(text)
}

// asksFor reports whether a flag is given and asks for something: --restore=false and --server "" don't.
func asksFor(f *pflag.FlagSet, name string) bool {
	value := f.Lookup(name).Value.String()
	return f.Changed(name) && value != "false" && value != ""
}

func plural(names []string, one, several string) string {
	if len(names) == 1 {
		return one
	}
	return several
}

// dashed names flags as users type them: -o, --only and --seed.
func dashed(f *pflag.FlagSet, names []string) string {
	all := results.Each(names, func(name string) string {
		if short := f.Lookup(name).Shorthand; short != "" {
			return "-" + short
		}
		return "--" + name
	})
	last := len(all) - 1
	if last == 0 {
		return all[0]
	}
	return fmt.Sprintf("%s and %s", strings.Join(all[:last], ", "), all[last])
}

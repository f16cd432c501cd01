package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// A rule is about flags that its verb has.
func TestRulesNameFlags(t *testing.T) {
	for _, v := range verbs() {
		c := v.command(&terminal{})
		for _, r := range v.rules {
			named := slices.Concat(r.flags, r.not)
			if r.needs != "" {
				named = append(named, r.needs)
			}
			for _, name := range named {
				if c.Flags().Lookup(name) == nil {
					t.Errorf("moobench %s has no flag --%s", c.Name(), name)
				}
			}
		}
	}
}

func TestRules(t *testing.T) {
	never := rule{flags: []string{"aaa", "bbb"}, not: []string{"ccc"}, why: "so it is"}
	alone := rule{flags: []string{"aaa", "bbb", "ccc"}}
	needs := rule{flags: []string{"aaa", "bbb"}, needs: "ccc", why: "give --ccc"}
	const off = "=false"
	for _, c := range []struct {
		name  string
		rule  rule
		given string
		want  string
	}{
		{"nothing is given", never, "", ""},
		{"one side", never, "aaa bbb", ""},
		{"the other side", never, "ccc", ""},
		{"one with the other", never, "bbb ccc", "--bbb doesn't go with --ccc: so it is"},
		{"all", never, "aaa bbb ccc", "-a and --bbb don't go with --ccc: so it is"},
		{"one alone", alone, "bbb", ""},
		{"two", alone, "ccc aaa", "-a and --ccc don't go together"},
		{"three", alone, "ccc bbb aaa", "-a, --bbb and --ccc don't go together"},
		{"with what it needs", needs, "aaa ccc", ""},
		{"one is off", never, "bbb ccc" + off, ""},
		{"what it needs is off", needs, "bbb ccc" + off, "--bbb goes with --ccc: give --ccc"},
		{"without", needs, "bbb", "--bbb goes with --ccc: give --ccc"},
		{"two without", needs, "aaa bbb", "-a and --bbb go with --ccc: give --ccc"},
	} {
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		f.BoolP("aaa", "a", false, "")
		f.Bool("bbb", false, "")
		f.Bool("ccc", false, "")
		for _, name := range strings.Fields(c.given) {
			name, isOff := strings.CutSuffix(name, off)
			if err := f.Set(name, strconv.FormatBool(!isOff)); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		if err := c.rule.check(f); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

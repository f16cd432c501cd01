package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/session"
	"moobench/harness/framework"
)

// complete lets a shell complete the value of a flag.
func complete(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // there is no such flag: a mistake of ours that every test of the command finds
	}
}

// upTo completes so many arguments, and none after them.
func upTo(most int, argument cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, named []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(named) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return argument(c, named, begun)
	}
}

// campaigns completes folders of campaigns, up to so many, those in the folder of the runs
// first, the newest before the others; any other folder, where none of them begins so.
func campaigns(most int) cobra.CompletionFunc {
	return upTo(most, func(_ *cobra.Command, named []string, begun string) ([]string, cobra.ShellCompDirective) {
		all := slices.DeleteFunc(session.Campaigns(), func(c string) bool { return slices.Contains(named, c) || !strings.HasPrefix(c, begun) })
		if len(all) == 0 {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		slices.Reverse(all)
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	})
}

// tomlFiles completes a benchmarks.toml.
var tomlFiles = upTo(1, cobra.FixedCompletions([]string{"toml"}, cobra.ShellCompDirectiveFilterFileExt))

// variants completes the variants of the catalogue, and the frameworks of several of them.
func variants(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	set, err := framework.Catalogue()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var all []string
	for _, name := range set.Names() {
		if of, _, _ := strings.Cut(name, "/"); !slices.Contains(all, of) {
			all = append(all, of)
		}
		v, _ := set.Variant(name) // which has the names that it gives
		all = append(all, cobra.CompletionWithDesc(name, v.About))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

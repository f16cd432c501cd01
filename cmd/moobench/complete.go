package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/session"
	"moobench/harness/framework"
)

// complete adds shell completion for a flag's value.
func complete(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // no such flag: our own mistake, which every test of the command finds
	}
}

// upTo completes at most the given number of arguments.
func upTo(most int, argument cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, named []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(named) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return argument(c, named, begun)
	}
}

// campaigns completes up to the given number of campaign folders: those in the folder of runs,
// newest first, or any folder if none of them matches.
func campaigns(most int) cobra.CompletionFunc {
	return upTo(most, func(_ *cobra.Command, named []string, begun string) ([]string, cobra.ShellCompDirective) {
		all := slices.DeleteFunc(session.Campaigns(), func(c string) bool {
			return slices.Contains(named, c) || !strings.HasPrefix(c, begun)
		})
		if len(all) == 0 {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		slices.Reverse(all)
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	})
}

// tomlFiles completes the name of a benchmarks.toml.
var tomlFiles = upTo(1, cobra.FixedCompletions([]string{"toml"}, cobra.ShellCompDirectiveFilterFileExt))

// variants completes the catalogue's variants and frameworks.
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
		v, _ := set.Variant(name) // every listed name has a variant
		all = append(all, cobra.CompletionWithDesc(name, v.About))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

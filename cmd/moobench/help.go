package main

import (
	"embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/reference"
)

// helpTexts holds the long help and the examples of each verb.
//
//go:embed help
var helpTexts embed.FS

// describe gives a verb and its subcommands their help texts, such as
// help/moobench-history-add.txt. A verb's generated table replaces TABLE in its text.
func describe(verb *cobra.Command) {
	text, err := helpTexts.ReadFile("help/" + strings.ReplaceAll(verb.CommandPath(), " ", "-") + ".txt")
	if err != nil {
		panic(err) // our own mistake, which every test of the command finds
	}
	long, examples, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), "Examples:\n")
	verb.Long, verb.Example = strings.Replace(strings.TrimSpace(long), "TABLE\n", verb.Long, 1), examples
	for _, below := range verb.Commands() {
		describe(below)
	}
}

// helpVerb is cobra's help on verbs, with further topics.
func helpVerb(t *terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use: "help [VERB]",
		Short: "say what a verb takes; help file: what benchmarks.toml may hold; help exit: the exit status; " +
			"help man: a page for man(1)",
		Example: "  moobench help run\n  moobench help file\n  moobench help exit",
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) (verbs []string, _ cobra.ShellCompDirective) {
			if about, _, err := c.Root().Find(args); err == nil {
				for _, verb := range about.Commands() {
					if verb.IsAvailableCommand() {
						verbs = append(verbs, cobra.CompletionWithDesc(verb.Name(), verb.Short))
					}
				}
			}
			return verbs, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			about, _, err := c.Root().Find(args)
			if err != nil {
				return outcome.Usage(err)
			}
			about.InitDefaultHelpFlag() // otherwise the flags would lack it
			return about.Help()
		},
	}
	cmd.AddCommand(fileHelp(t), manHelp(t), &cobra.Command{
		Use: "exit", Short: "what the exit status means", Args: positional(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { _, err := fmt.Fprintln(t.Out, exitHelp); return err },
	})
	return cmd
}

// fileHelp prints the reference of benchmarks.toml.
func fileHelp(t *terminal) *cobra.Command {
	const widest = 100
	of := func() *reference.File { return reference.Of(t.Known(), min(t.Width(), widest)) }
	var format string
	cmd := &cobra.Command{
		Use:   "file [SECTION|KEY]",
		Short: "every section and key that a benchmarks.toml may hold",
		Long: `Prints every section and key that a benchmarks.toml may hold, as a line of it, with
its type, its default, and what it is for; with a SECTION or KEY, only these.

As json-schema, editors complete and check a file with it: taplo, and Even
Better TOML of VS Code, find it by a first line "#:schema ./benchmarks.schema.json".`,
		Example: `  moobench help file
  moobench help file machine
  moobench help file gate.alpha
  moobench help file --format json-schema > benchmarks.schema.json`,
		Args: positional(cobra.MaximumNArgs(1)),
		ValidArgsFunction: upTo(1, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return of().Names(), cobra.ShellCompDirectiveNoFileComp
		}),
		RunE: func(_ *cobra.Command, args []string) (err error) {
			f := of()
			if len(args) > 0 {
				if f, err = f.About(args[0]); err != nil {
					return err
				}
			}
			switch format {
			case "json-schema":
				if len(args) > 0 {
					return outcome.Usage(fmt.Errorf("a schema covers the whole file, not %s", args[0]))
				}
				return t.JSON(f.Schema())
			case "markdown":
				_, err = io.WriteString(t.Out, f.Markdown())
			default:
				_, err = io.WriteString(t.Out, f.Text())
			}
			return err
		},
	}
	registerFormat(cmd, &format, reference.Formats())
	return cmd
}

// registerFormat adds the flag for a verb's output format, text by default. The verb refuses
// unknown formats.
func registerFormat(cmd *cobra.Command, format *string, formats []string) {
	registerAnyFormat(cmd, format, "text", formats)
	cmd.PreRunE = func(*cobra.Command, []string) error { return checkFormat(*format, formats) }
}

// registerAnyFormat adds the flag for a format that the verb itself checks, and its completion.
func registerAnyFormat(cmd *cobra.Command, format *string, usual string, formats []string) {
	cmd.Flags().StringVarP(format, "format", "f", usual, strings.Join(formats, ", "))
	complete(cmd, "format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
}

// textOrJSON are the formats of a verb without a document.
var textOrJSON = []string{"text", "json"}

// registerJSON adds --json, short for --format json.
func registerJSON(cmd *cobra.Command, format *string) {
	cmd.Flags().BoolFunc("json", "as --format json", func(wanted string) error {
		if yes, err := strconv.ParseBool(wanted); err != nil || !yes {
			return err
		}
		*format = "json"
		return nil
	})
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manHelp prints the manual page.
func manHelp(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "all of this as a page of the manual, for man(1)",
		Example: "  moobench help man > moobench.1 && man ./moobench.1",
		Args:    positional(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := io.WriteString(t.Out, manual(c.Root(), committed()))
			return err
		},
	}
}

// manual returns the help texts of all verbs, with flags and examples, as one page in man(7)
// format. The generator that comes with cobra reads texts as Markdown, which turns '.*' in a
// pattern into emphasis, and a table into one paragraph.
func manual(root *cobra.Command, date string) string {
	root.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH MOOBENCH 1 \"%s\" \"moobench %s\" \"User Commands\"\n", date, roff(build()))
	fmt.Fprintf(&b, ".SH NAME\nmoobench \\- %s\n", roff(root.Short))
	b.WriteString(".SH SYNOPSIS\n.B moobench\n.I VERB\n[arguments and flags of the verb]\n.SH DESCRIPTION\n")
	manText(&b, root.Long)
	b.WriteString(".SH OPTIONS\n")
	manFlags(&b, root)
	b.WriteString(".SH VERBS\n")
	var verbs func(of *cobra.Command)
	verbs = func(of *cobra.Command) {
		for _, verb := range of.Commands() {
			if verb.Hidden {
				continue
			}
			fmt.Fprintf(&b, ".SS %s\n", roff(strings.TrimSuffix(verb.UseLine(), " [flags]")))
			manText(&b, cmp.Or(verb.Long, verb.Short))
			manFlags(&b, verb)
			if verb.Example != "" {
				b.WriteString(".PP\nExamples:\n")
				manText(&b, verb.Example)
			}
			verbs(verb)
		}
	}
	verbs(root)
	b.WriteString(".SH EXIT STATUS\n")
	manText(&b, exitHelp)
	return b.String()
}

// manFlags writes the flags of a verb; --help is listed only for the program itself.
func manFlags(b *strings.Builder, verb *cobra.Command) {
	verb.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" && verb.HasParent() {
			return
		}
		one := pflag.NewFlagSet("", pflag.ContinueOnError)
		one.AddFlag(f)
		name, about, _ := strings.Cut(strings.TrimSpace(one.FlagUsages()), "   ")
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(name), roff(strings.Join(strings.Fields(about), " ")))
	})
}

// meaning matches an indented line with a term and, after two or more spaces, its meaning.
var meaning = regexp.MustCompile(`^  (\S.*?) {2,}(\S.*)$`)

// manText converts a help text. Paragraphs are filled, and so are the meanings of terms, which may
// continue in further indented lines. Other indented lines are kept as they are.
func manText(b *strings.Builder, text string) {
	const paragraph, terms, kept = ".PP\n", ".TP\n", ".PP\n.nf\n"
	part := paragraph // part of the line before; the first paragraph needs no start
	begin := func(next string) {
		if part == kept && next != kept {
			b.WriteString(".fi\n")
		}
		if next == terms || next != part {
			b.WriteString(next)
		}
		part = next
	}
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		switch m := meaning.FindStringSubmatch(line); {
		case strings.TrimSpace(line) == "":
			begin("")
		case m != nil && part != kept:
			begin(terms)
			fmt.Fprintf(b, ".B %s\n%s\n", roff(m[1]), roff(m[2]))
		case strings.HasPrefix(line, "   ") && part == terms:
			b.WriteString(roff(strings.TrimSpace(line)) + "\n")
		case strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t"):
			begin(kept)
			b.WriteString(roff(strings.TrimPrefix(strings.TrimPrefix(line, "  "), "\t")) + "\n")
		default:
			begin(paragraph)
			b.WriteString(roff(line) + "\n")
		}
	}
	begin("")
}

// plain escapes characters that troff interprets, or prints as typographic ones.
var plain = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, `"`, `\(dq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// roff converts a line of text for troff, all in ASCII.
func roff(line string) string {
	var b strings.Builder
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		b.WriteString(`\&`)
	}
	for _, r := range plain.Replace(line) {
		if r > '~' {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

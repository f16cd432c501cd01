package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manualPage is the manual, with a date that stays.
func manualPage() (*cobra.Command, string) {
	root := newRoot(&terminal{})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	return root, manual(root, "2026-11-21")
}

// TestManualIsWhole: the manual has each verb under its name, with every flag that its help has,
// and the exit status.
func TestManualIsWhole(t *testing.T) {
	root, text := manualPage()
	verbs, flags := 0, 0
	var look func(*cobra.Command, string)
	look = func(verb *cobra.Command, section string) {
		section, _, _ = strings.Cut(section, "\n.S")
		verb.LocalFlags().VisitAll(func(f *pflag.Flag) {
			flags++
			if said := f.Name == "help" && verb.HasParent(); !said && !strings.Contains(section, roff("--"+f.Name)) {
				t.Errorf("%s lacks --%s", verb.CommandPath(), f.Name)
			}
		})
		for _, below := range verb.Commands() {
			verbs++
			_, section, found := strings.Cut(text, "\n.SS "+roff(below.CommandPath()))
			if !found || !strings.HasPrefix(section, "\n") && !strings.HasPrefix(section, " ") {
				t.Errorf("it lacks %s", below.CommandPath())
			}
			look(below, section)
		}
	}
	_, options, _ := strings.Cut(text, "\n.SH OPTIONS")
	look(root, options)
	if verbs < 25 || flags < 100 {
		t.Errorf("%d verbs with %d flags: some are not looked at", verbs, flags)
	}
	if _, statuses, _ := strings.Cut(text, "\n.SH EXIT STATUS\n"); strings.Count(statuses, "\n.TP\n") != 6 {
		t.Errorf("not every exit status:\n%s", statuses)
	}
}

// TestManualText: what stands in is a term with its meaning, or is kept, and nothing in a text is
// an order to troff.
func TestManualText(t *testing.T) {
	for text, want := range map[string]string{
		"One line,\nand more.\n\nTwo.":                                 "One line,\nand more.\n.PP\nTwo.\n",
		"Of it:\n  a, b   first\n           and more\n  c  last\nThen": "Of it:\n.TP\n.B a, b\nfirst\nand more\n.TP\n.B c\nlast\n.PP\nThen\n",
		"  moobench run a\n  moobench run b   # again\n":               ".PP\n.nf\nmoobench run a\nmoobench run b   # again\n.fi\n",
		"Begin:\n\n\tsource x\n\nDone":                                 "Begin:\n.PP\n.nf\nsource x\n.fi\n.PP\nDone\n",
		".so /etc/passwd\n'ab -c '* a..*.<init>(..)' \\d µ":            "\\&.so /etc/passwd\n\\&\\(aqab \\-c \\(aq* a..*.<init>(..)\\(aq \\ed \\[u00B5]\n",
	} {
		var b strings.Builder
		if manText(&b, text); b.String() != want {
			t.Errorf("%q\nis  %q\nnot %q", text, b.String(), want)
		}
	}
}

// TestManualIsRoff: those who print manuals find nothing wrong with it, and print what was meant.
func TestManualIsRoff(t *testing.T) {
	_, text := manualPage()
	for _, command := range []string{"mandoc -Tlint -Wwarning", "groff -man -Tutf8 -ww -z", "groff -man -Tutf8", "mandoc -Tutf8"} {
		t.Run(command, func(t *testing.T) {
			words := strings.Fields(command)
			needTools(t, words[0])
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Stdin = strings.NewReader(text)
			out, err := cmd.CombinedOutput()
			if prints := words[len(words)-1] == "-Tutf8"; err != nil || !prints && len(out) > 0 ||
				prints && !strings.Contains(string(out), "'+ com.acme..*.*(..)'") {
				t.Errorf("%v\n%.2000s", err, out)
			}
		})
	}
}

package simulation

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var chosen = flag.String("section", "", "with -update, make this section of COVERAGE.md alone anew")

// section is a part of the document that is made by itself.
type section struct {
	heading string
	body    func(e effort) string
}

var sections = []section{
	{"Coverage of sized campaigns in %, nominal 95", sizedSection},
	{"Disturbed and repeated: coverage in %, nominal 95", disturbedSection},
	{"Several hosts: coverage in %, nominal 95", hostsSection},
	{"Lanes of one machine: what is said in %, and coverage", lanesSection},
	{"A slow mode in one arm alone", unseen},
	{"Growth: coverage of the slope in %, nominal 95", growthSection},
	{"JVMs that fall into two modes", modesSection},
	{"The speed of the CPU: identical campaigns", pairsSection},
	{"The speed of the CPU: what grows", growingSection},
	{"The speed of the CPU: a reference that is touched", touchedSection},
}

// with puts the sections behind a document, each in the place where it is already.
func with(text string, e effort, wanted func(section) bool) string {
	for _, s := range sections {
		if !wanted(s) {
			continue
		}
		title := "\n## " + s.heading + "\n\n"
		made := title + s.body(e)
		before, rest, found := strings.Cut(text, title)
		if !found {
			text += made
			continue
		}
		after := ""
		if i := strings.Index(rest, "\n## "); i >= 0 {
			after = rest[i:]
		}
		text = before + made + after
	}
	return text
}

// TestCoverageSections writes one section of the document when asked to, and else
// makes sure that the document has them all.
func TestCoverageSections(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if *update && *chosen != "" {
		made := with(string(text), long(), func(s section) bool { return s.heading == *chosen })
		if err := os.WriteFile(document, []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, s := range sections {
		if !strings.Contains(string(text), "\n## "+s.heading+"\n") {
			t.Errorf("%s has no section %q: write it anew with -run TestCoverageSections -update -section %q", document, s.heading, s.heading)
		}
	}
}

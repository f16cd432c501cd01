package pattern

import (
	"os"
	"strings"
	"testing"
)

// TestGrammar: what the agents' parser refuses is refused here, in the same words.
func TestGrammar(t *testing.T) {
	cases, err := os.ReadFile("../../jvm-fixtures/probes/src/test/resources/moobench/probes/patterns/grammar.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(cases)) {
		if line[0] == '#' {
			continue
		}
		text, wrong, _ := strings.Cut(strings.TrimSpace(line), " | ")
		got := ""
		if err := Check("\t " + strings.ReplaceAll(text, " ", "  ")); err != nil {
			got = strings.TrimPrefix(err.Error(), `pattern "`+text+`": `)
		}
		if got != wrong {
			t.Errorf("%s: %s, want %s", text, got, wrong)
		}
	}
	if err := Check(""); err == nil {
		t.Error("an empty one is taken")
	}
}

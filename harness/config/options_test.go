package config

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSplitOptionsAsAShell compares with what sh makes of the same text.
func TestSplitOptionsAsAShell(t *testing.T) {
	for _, text := range []string{
		"", "  ", "-Xint", " -a\t-b ", `-D'a b'c"d e"\ f`, `'' "" x`, `"a\"b\\c\d"`, `'a\b'`, `a''b`, `-Da='"'`,
	} {
		words, err := SplitOptions(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		out, err := exec.Command("sh", "-c", `for w in `+text+`; do printf '[%s]' "$w"; done`).Output()
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, w := range words {
			got += "[" + w + "]"
		}
		if got != string(out) {
			t.Errorf("%q are %s, a shell says %s", text, got, out)
		}
	}
}

func TestSplitOptionsRefuses(t *testing.T) {
	for text, want := range map[string]string{`a 'b`: "quote ' is not closed", `"`: `quote " is not closed`, `"a\"`: `quote " is not closed`, `a\`: "nothing follows"} {
		if words, err := SplitOptions(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v", text, words, err)
		}
	}
}

// TestOptionsSurviveBeingJoined: the canonical form of a list of options has the
// same words, and is its own canonical form.
func TestOptionsSurviveBeingJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[-a= \t'"\\{}$]{0,6}`), 1, 4).Draw(t, "words")
		got, err := SplitOptions(joinOptions(words))
		if err != nil || !slices.Equal(got, words) {
			t.Fatalf("%q became %q, %v", words, got, err)
		}
	})
}

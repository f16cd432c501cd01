package strict

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestErrors: of many mistakes the first are listed, in the order of the text, and the others counted.
func TestErrors(t *testing.T) {
	for _, n := range []int{1, errorsShown, errorsShown + 1, errorsShown + 30} {
		doc, err := Parse("f.toml", []byte(strings.Repeat("#\n", 2)+"x = [\n"+strings.Repeat("1,\n", n)+"]\ny = 1\n"))
		if err != nil {
			t.Fatal(err)
		}
		list, _ := doc.Root().Key("x").List()
		for i := range list { // from the last to the first, each twice
			list[n-1-i].Fail("so", "wrong")
			list[n-1-i].Fail("so", "wrong")
		}
		if doc.Root().Mistakes() != 2*n {
			t.Errorf("%d mistakes, want %d", doc.Root().Mistakes(), 2*n)
		}
		var want []string
		for i := range min(n, errorsShown) {
			want = append(want, fmt.Sprintf("f.toml:%d: wrong (so)", 4+i))
		}
		if n > errorsShown {
			want = append(want, fmt.Sprintf("and %d more", n-errorsShown))
		}
		if got := doc.Err().Error(); got != strings.Join(want, "\n") {
			t.Errorf("%d mistakes:\n%s", n, got)
		}
	}
}

// TestLongMistakes: a long message is cut between two letters.
func TestLongMistakes(t *testing.T) {
	for _, c := range []struct {
		msg  string
		kept int // bytes
	}{
		{strings.Repeat("a", errorMost), errorMost},
		{strings.Repeat("a", errorMost+1), errorMost},
		{strings.Repeat("a", errorMost-1) + "µµ", errorMost - 1},
		{strings.Repeat("a", errorMost-2) + "µµ", errorMost},
		{strings.Repeat("a", errorMost-1) + "𝄞", errorMost - 1},
	} {
		got := (&Error{Path: "f.toml", Line: 3, Msg: c.msg}).Error()
		want := "f.toml:3: " + c.msg[:c.kept]
		if c.kept < len(c.msg) {
			want += "…"
		}
		if got != want || !utf8.ValidString(got) {
			t.Errorf("%d bytes are cut to %d, …%q", len(c.msg), len(got), got[len(got)-8:])
		}
	}
}

// TestSyntaxErrors: what is not TOML is told with its line, and the column in letters, however long these are.
func TestSyntaxErrors(t *testing.T) {
	for _, letter := range []string{"a", "µ", "𝄞"} {
		_, err := Parse("f.toml", []byte("a = 1\nb = '"+strings.Repeat(letter, 8)+"' y"))
		if es, _ := err.(Errors); len(es) != 1 || es[0].Line != 2 || es[0].Column != 15 || es[0].Hint != "" {
			t.Errorf("%s: %+v", letter, es)
		}
	}
	_, err := Parse("f.toml", []byte("a = "))
	if es, _ := err.(Errors); len(es) != 1 || es[0].Line != 1 || es[0].Hint != `at or after key "a"` {
		t.Errorf("%v", err)
	}
}

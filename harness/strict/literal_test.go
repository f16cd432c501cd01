package strict

import (
	"testing"
	"unicode/utf8"
)

// What is written as a literal is read as it was.
func FuzzLiteral(f *testing.F) {
	for _, s := range []string{"", `"total": \d+`, `it's \d`, "a\tb\x00\x7f", `\`, "<&>\u2028", `'"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip("TOML is UTF-8")
		}
		doc, err := Parse("f.toml", []byte("a."+literalKey("k"+s)+" = "+Literal([]string{s})))
		if err != nil {
			t.Skip(err) // no text, or longer than a key may be
		}
		for _, e := range doc.Root().Key("a").Entries() {
			words, _ := e.List()
			if len(words) != 1 || words[0].Raw != s || e.Name() != "k"+s {
				t.Errorf("%q: %q = %v", s, e.Name(), e.Raw)
			}
		}
	})
}

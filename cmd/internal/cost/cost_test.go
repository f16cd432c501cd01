package cost

import (
	"testing"
	"unicode/utf8"

	"moobench/harness/strict"
)

func TestProofText(t *testing.T) {
	for short, want := range map[string]string{
		"none":                         `"none"`,
		"otlp":                         `{ count = "otlp" }`,
		"file={dir}/*.csv":             `{ file = "{dir}/*.csv", lines = true }`,
		`log=recorded (\d+)`:           `{ log = 'recorded (\d+)' }`,
		"log=it's":                     `{ log = "it's" }`,
		"http=http://127.0.0.1:1/m  x": `{ http = "http://127.0.0.1:1/m", metric = "x" }`,
		"http=http://127.0.0.1:1/m":    `{ http = "http://127.0.0.1:1/m" }`,
		"command=wc -l a.csv":          `{ command = ["wc", "-l", "a.csv"] }`,
		"command=./count.sh {dir}":     `{ command = ["./count.sh", "{dir}"] }`,
		`{ log = "a", per_call = 1 }`:  `{ log = "a", per_call = 1 }`,
		"nonsense":                     `"nonsense"`,
	} {
		if got := (&Question{Save: "here.toml"}).proofText(short); got != want {
			t.Errorf("%s: %s, want %s", short, got, want)
		}
	}
}

// Whatever is asked stands in the file as it was said.
func FuzzQuoted(f *testing.F) {
	for _, s := range []string{"", `"total": \d+`, `it's \d`, "a\tb\x00\x7f", `\`, "<&>\u2028", `'"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip("TOML is UTF-8")
		}
		doc, err := strict.Parse("f.toml", []byte("a."+key("k"+s)+" = "+list([]string{s})))
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

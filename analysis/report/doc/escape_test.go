package doc

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// meaningful is a text of signs that mean something to some format, and of others.
func meaningful(t *rapid.T) string {
	return rapid.StringOf(rapid.SampledFrom([]rune("aZ09 \\{}$&#%_^~<>|\"'`[]*()+-=@!?,.;:/\t\n\r\x00\x1b±×−…µ“”é中\u202e\ufffd"))).Draw(t, "text")
}

// A text in LaTeX holds no sign that LaTeX reads as anything else, and comes
// back whole.
func TestLaTeXText(t *testing.T) {
	var back, without []string
	for r, word := range latexWords {
		if len(word) > 1 && r != '\u03bc' && r != '—' && r != '–' {
			back, without = append(back, word, string(r)), append(without, word, "")
		}
	}
	// What begins alike is told apart by its length.
	undo, remove := longestFirst(append(back, "{}", "")), longestFirst(append(without, "{}", ""))
	rapid.Check(t, func(t *rapid.T) {
		s := meaningful(t)
		got := EscapeLaTeX(s)
		if rest := remove.Replace(escapedCodes.ReplaceAllString(got, "")); strings.ContainsAny(rest, "\\{}$&#%_^~<>|\"`[]*\n") {
			t.Fatalf("%q reads %q, which holds %q", s, got, rest)
		}
		want := strings.NewReplacer("中", "[U+4E2D]", "\ufffd", "[U+FFFD]").Replace(OneLine(s))
		if read := undo.Replace(got); read != want {
			t.Fatalf("%q reads %q, which says %q", s, got, read)
		}
		for _, ligature := range []string{"--", "''", ",,", "?`", "!`"} {
			if strings.Contains(got, ligature) {
				t.Fatalf("%q reads %q, with the ligature %s", s, got, ligature)
			}
		}
	})
}

var escapedCodes = regexp.MustCompile(`\{\[\}U\+[0-9A-F]+\{\]\}`)

// longestFirst replaces pairs, the longest first.
func longestFirst(pairs []string) *strings.Replacer {
	var sorted []string
	for n := 40; n >= 0; n-- {
		for i := 0; i < len(pairs); i += 2 {
			if len(pairs[i]) == n {
				sorted = append(sorted, pairs[i], pairs[i+1])
			}
		}
	}
	return strings.NewReplacer(sorted...)
}

func TestLaTeXWords(t *testing.T) {
	for s, want := range map[string]string{
		"50 % of a_b & c#1":   `50 \% of a\_b \& c\#1`,
		`\input{/etc/passwd}`: `\textbackslash{}input\{/etc/passwd\}`,
		"2.072 µs ± 1.7 %":    `2.072 \textmu{}s $\pm$ 1.7 \%`,
		"−3 … 4, × 2":         `$-$3 \ldots{} 4, $\times$ 2`,
		"--option":            `-{}-option`,
		"[x]* naïve":          `{[}x{]}{*} naïve`,
		"日":                   `{[}U+65E5{]}`,
		"two\nlines":          "two lines",
	} {
		if got := EscapeLaTeX(s); got != want {
			t.Errorf("%q reads %s, want %s", s, got, want)
		}
	}
}

// A text in Markdown is nothing but text: each sign that means something has a
// backslash before it.
func TestMarkdownText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := meaningful(t)
		got := strings.ReplaceAll(EscapeMarkdown(s), "<!-- -->", "")
		var back strings.Builder
		for i := 0; i < len(got); i++ {
			c := got[i]
			if c == '\\' {
				i++
				c = got[i]
			} else if strings.IndexByte("`*_[]<>|~$&\n", c) >= 0 || i == 0 && strings.IndexByte("#+-=", c) >= 0 && !strings.ContainsAny(got[1:min(2, len(got))], "0123456789") {
				t.Fatalf("%q reads %q, with a bare %q", s, got, c)
			}
			back.WriteByte(c)
		}
		if back.String() != OneLine(s) {
			t.Fatalf("%q reads %q", s, got)
		}
	})
	for s, want := range map[string]string{"1. first": `1\. first`, "12) x": `12\) x`, "1.5 ns": `1.5 ns`, "+4.8": `+4.8`, "- x": `\- x`, "1.": `1\.`, "alloc_bytes": `alloc\_bytes`, "a | b": `a \| b`} {
		if got := EscapeMarkdown(s); got != want {
			t.Errorf("%q reads %s, want %s", s, got, want)
		}
	}
}

// A text in Markdown neither becomes a link nor tells anybody who isn't asked.
func TestMarkdownLinksNothing(t *testing.T) {
	for s, want := range map[string]string{
		"http://evil.example/x":      `http\://evil.example/x`,
		"see HTTPS://evil.example":   `see HTTPS\://evil.example`,
		"www.evil.example":           `www\.evil.example`,
		"(WWW.evil.example)":         `(WWW\.evil.example)`,
		"@octocat":                   `\@<!-- -->octocat`,
		"a.b@evil.example":           `a.b\@<!-- -->evil.example`,
		"mine/bci/default@old":       `mine/bci/default\@<!-- -->old`,
		"mailto:a@b.c":               `mailto:a\@<!-- -->b.c`,
		"12:30, a: b, 5 @ 2.4 GHz @": "12:30, a: b, 5 @ 2.4 GHz @",
		"ww.x w.w.w .":               "ww.x w.w.w .",
	} {
		if got := EscapeMarkdown(s); got != want {
			t.Errorf("%q reads %s, want %s", s, got, want)
		}
	}
}

func TestSlugs(t *testing.T) {
	for s, want := range map[string]string{"A/A failed": "a-a-failed", "  x__y ": "x-y", "µs": "s", "": "", "1/s": "1-s"} {
		if got := Slug(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// A caveat of a row is a note with a number at the row, below the first part of its table alone.
func TestLaTeXNotes(t *testing.T) {
	table := &Table{Columns: []Column{{Head: "variant"}, {Head: "adds", Number: true}, {Head: "caveats", Depth: Written}}, Notes: []string{"of all"}}
	for i, caveat := range []string{"", "lost 9 %", "only 3", "lost 9 %"} {
		table.Rows = append(table.Rows, Row{Cells: Texts("v"+string(rune('0'+i)), "1 ns", caveat)})
	}
	table.Rows[2].Note = "it misleads"
	d := &Document{Title: "t", Blocks: []Block{&Section{Title: "s", Blocks: []Block{table}}}}
	var b strings.Builder
	if err := LaTeX(&b, d, Brief); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"v0 & 1 ns", `v1\textsuperscript{1} & 1 ns`, `v2\textsuperscript{2,3} & 1 ns`, `v3\textsuperscript{1} & 1 ns`,
		`\textsuperscript{1} lost 9 \%`, `\textsuperscript{2} only 3`, `\textsuperscript{3} it misleads`, "of all",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if n := strings.Count(text, `\begin{table}`); n != 1 || strings.Count(text, "of all") != 1 {
		t.Errorf("%d floats\n%s", n, text)
	}
}

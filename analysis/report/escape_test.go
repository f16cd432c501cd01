package report

import (
	"encoding/csv"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis"
	"moobench/analysis/madeup"
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
		got := latexText(s)
		if rest := remove.Replace(escapedCodes.ReplaceAllString(got, "")); strings.ContainsAny(rest, "\\{}$&#%_^~<>|\"`[]*\n") {
			t.Fatalf("%q reads %q, which holds %q", s, got, rest)
		}
		want := strings.NewReplacer("中", "[U+4E2D]", "\ufffd", "[U+FFFD]").Replace(oneLine(s))
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
		if got := latexText(s); got != want {
			t.Errorf("%q reads %s, want %s", s, got, want)
		}
	}
}

// A text in Markdown is nothing but text: each sign that means something has a
// backslash before it.
func TestMarkdownText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := meaningful(t)
		got := strings.ReplaceAll(md(s), "<!-- -->", "")
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
		if back.String() != oneLine(s) {
			t.Fatalf("%q reads %q", s, got)
		}
	})
	for s, want := range map[string]string{"1. first": `1\. first`, "12) x": `12\) x`, "1.5 ns": `1.5 ns`, "+4.8": `+4.8`, "- x": `\- x`, "1.": `1\.`, "alloc_bytes": `alloc\_bytes`, "a | b": `a \| b`} {
		if got := md(s); got != want {
			t.Errorf("%q reads %s, want %s", s, got, want)
		}
	}
}

// Nothing becomes a link or tells anybody that isn't asked for: neither in a
// report nor in a comparison.
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
		for name, write := range map[string]func(string) string{"report": md, "comparison": inMarkdown} {
			if got := write(s); got != want {
				t.Errorf("%s: %q reads %s, want %s", name, s, got, want)
			}
		}
	}
	a := analyse(t, madeup.Tiny())
	a.Scenarios[0].Cells[2].Variant, a.Scenarios[0].Cells[2].Label = "@octocat", "http://evil.example"
	a.Campaign.About = "www.evil.example"
	text := written(t, "markdown", a)
	for _, bare := range []string{"@octocat", "http://", "www.evil"} {
		if strings.Contains(text, bare) {
			t.Errorf("the report holds %s", bare)
		}
	}
	if !strings.Contains(text, `http\://evil.example`) || !strings.Contains(text, `www\.evil`) {
		t.Errorf("the report lacks what was to be escaped:\n%s", text)
	}
}

// A quotation mark in a text behind HELP is one that every reader takes.
func TestOpenMetricsHelp(t *testing.T) {
	a := analyse(t, madeup.Tiny())
	a.Scenarios[0].Metrics[0].About = `the "real" time \ of it`
	var helps []string
	for _, line := range strings.Split(written(t, "openmetrics", a), "\n") {
		if strings.HasPrefix(line, "# HELP ") && strings.Contains(line, "real") {
			helps = append(helps, line)
		}
	}
	if len(helps) == 0 || strings.Contains(strings.Join(helps, ""), `"`) || !strings.Contains(helps[0], `the 'real' time \\ of it`) {
		t.Errorf("%q", helps)
	}
}

// No field of CSV is a formula, and all come back from its reader.
func TestCSVText(t *testing.T) {
	for s, want := range map[string]string{
		"=1+1": "'=1+1", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "-2+3": "'-2+3", "@SUM(A1)": "'@SUM(A1)", "  =x": "'  =x",
		"\t=x": "\ufffd=x", "-12.5": "-12.5", "+3e4": "+3e4", "＝x": "'＝x", "plain": "plain", "": "",
	} {
		if got := csvText(s); got != want {
			t.Errorf("%q reads %q, want %q", s, got, want)
		}
	}
	a := analyse(t, madeup.Tiny())
	rapid.Check(t, func(t *rapid.T) {
		s := meaningful(t)
		a.Scenarios[0].Cells[2].Variant = s
		var b strings.Builder
		if err := CSV(&b, a); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		got := lines[1+2*len(a.Scenarios[0].Metrics)][4]
		if lines[0][4] != "variant" || got != csvText(s) || strings.TrimPrefix(got, "'") != strings.TrimPrefix(Clean(s), "'") {
			t.Fatalf("%q came back as %q", s, got)
		}
	})
}

// A word of a Go benchmark's name has no space, comes back whole, and never ends
// as a number of CPUs does.
func TestGoWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.Custom(meaningful), rapid.String()).Draw(t, "s")
		got := goWord(s)
		if strings.ContainsAny(got, " \t\n\r/=:") || cpuCountAtEnd.MatchString(got) {
			t.Fatalf("%q reads %q", s, got)
		}
		if back, err := url.PathUnescape(got); err != nil || back != s {
			t.Fatalf("%q reads %q, which says %q, %v", s, got, back, err)
		}
	})
	for s, want := range map[string]string{"otlp-large": "otlp-large", "java-8": "java%2D8", "a b": "a%20b", "1_000": "1_000", "50%": "50%25", "x-": "x%2D"} {
		if got := goWord(s); got != want {
			t.Errorf("%q reads %s, want %s", s, got, want)
		}
	}
	if x, y := goVariant("a/b"), goVariant("a:b"); x != "a:b" || x == y {
		t.Errorf("two variants have the names %s and %s", x, y)
	}
}

var cpuCountAtEnd = regexp.MustCompile(`-[0-9]+$`)

// A label's value in OpenMetrics stands on one line, and comes back.
func TestOpenMetricsLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := meaningful(t)
		got := escapeLabel(s)
		var back strings.Builder
		for i := 0; i < len(got); i++ {
			switch c := got[i]; {
			case c == '"' || c == '\n':
				t.Fatalf("%q reads %q, with a bare %q", s, got, c)
			case c == '\\':
				i++
				back.WriteString(map[byte]string{'\\': `\`, '"': `"`, 'n': "\n"}[got[i]])
			default:
				back.WriteByte(c)
			}
		}
		if back.String() != doc.CleanLines(s) {
			t.Fatalf("%q reads %q", s, got)
		}
	})
	if got := braced([]label{{"a", `x"\` + "\n"}, {"b", ""}}); got != `{a="x\"\\\n"}` {
		t.Errorf("labels read %s", got)
	}
}

// Whatever labels hold, XML is well formed.
func TestXMLText(t *testing.T) {
	a := analyse(t, madeup.Tiny())
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.OneOf(rapid.Custom(meaningful), rapid.String()).Draw(rt, "s")
		a.Campaign.Name, a.Scenarios[0].Label, a.Scenarios[0].Cells[2].Label = s, s, s
		a.Scenarios[0].Cells[2].Marks = []analysis.Mark{{Kind: s, Show: s, Text: s}}
		for _, format := range []string{"svg", "junit"} {
			wellFormed(t, format, written(t, format, a))
		}
	})
}

func TestSlugs(t *testing.T) {
	for s, want := range map[string]string{"A/A failed": "a-a-failed", "  x__y ": "x-y", "µs": "s", "": "", "1/s": "1-s"} {
		if got := slug(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	taken := distinct{}
	for _, want := range []string{"a", "a-2", "a-3"} {
		if got := taken.name("a", "-"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

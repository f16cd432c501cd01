package report

import (
	"encoding/csv"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/report/doc"
)

// meaningful is a text of signs that mean something to some format, and of others.
func meaningful(t *rapid.T) string {
	return rapid.StringOf(rapid.SampledFrom([]rune("aZ09 \\{}$&#%_^~<>|\"'`[]*()+-=@!?,.;:/\t\n\r\x00\x1b±×−…µ“”é中\u202e\ufffd"))).Draw(t, "text")
}

// Nothing in a summary becomes a link or tells anybody that isn't asked for: neither in
// a report nor in a comparison.
func TestMarkdownLinksNothing(t *testing.T) {
	a := changeable(shared(t, testcampaign.Tiny))
	a.Scenarios[0].Cells[2].Variant, a.Scenarios[0].Cells[2].Label = "@octocat", "http://evil.example"
	a.Campaign.About = "www.evil.example"
	text := written(t, "markdown", a)
	for _, bare := range []string{"@octocat", "http://", "www.evil"} {
		if strings.Contains(text, bare) {
			t.Errorf("the report holds %s", bare)
		}
	}
	if !strings.Contains(text, `@<!-- -->octocat`) || !strings.Contains(text, `www\.evil`) {
		t.Errorf("the report lacks what was to be escaped:\n%s", text)
	}
	a = changeable(shared(t, testcampaign.Tiny))
	text = string(printedComparison(t, "markdown", comparisonOf(t, compare.Options{Folders: []string{"@octocat", "http://evil.example"}}, a, a), Options{}))
	if strings.Contains(text, "@octocat") || strings.Contains(text, "http://") || !strings.Contains(text, `http\://evil.example`) {
		t.Errorf("the comparison holds what links:\n%s", text)
	}
}

// A quotation mark in a text behind HELP is one that every reader takes.
func TestOpenMetricsHelp(t *testing.T) {
	a := changeable(shared(t, testcampaign.Tiny))
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
	a := changeable(shared(t, testcampaign.Tiny))
	rapid.Check(t, func(t *rapid.T) {
		s := meaningful(t)
		a.Scenarios[0].Cells[2].Variant = s
		var b strings.Builder
		if err := writeCSV(&b, a, Options{}); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		got := lines[1+2*len(a.Scenarios[0].Metrics)][4]
		if lines[0][4] != "variant" || got != csvText(s) || strings.TrimPrefix(got, "'") != strings.TrimPrefix(doc.Clean(s), "'") {
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
	x := &exposition{}
	x.add("n", "", "", []fact{{"a", `x"\` + "\n"}, {"b", ""}}, 1)
	if got := x.samples[0].line; got != `n{a="x\"\\\n"} 1`+"\n" {
		t.Errorf("a sample reads %s", got)
	}
}

// Whatever labels hold, XML is well formed.
func TestXMLText(t *testing.T) {
	a := changeable(shared(t, testcampaign.Tiny))
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.OneOf(rapid.Custom(meaningful), rapid.String()).Draw(rt, "s")
		a.Campaign.Name, a.Scenarios[0].Label, a.Scenarios[0].Cells[2].Label = s, s, s
		a.Scenarios[0].Cells[2].Marks = []analysis.Mark{{Kind: s, Show: s, Text: s}}
		for _, format := range []string{"svg", "junit"} {
			wellFormed(t, format, written(t, format, a))
		}
	})
}

func TestDistinctNames(t *testing.T) {
	taken := distinct{}
	for _, want := range []string{"a", "a-2", "a-3"} {
		if got := taken.name("a", "-"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

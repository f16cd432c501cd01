package pattern

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestCanonical: a pattern has one way to be written: single blanks, and by its number what it would read as its own.
func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"  long \t a.b( )  ":     "long a.b( )",
		`a.two\ blanks(..)`:      `a.two\u0020blanks(..)`,
		`a.b\u0043(..)`:          `a.bC(..)`,
		`a.\<x\>(..)`:            `a.\u003cx\u003e(..)`,
		`a.\ud83d\ude00(..)`:     `a.😀(..)`,
		`a.😀(..)`:                `a.😀(..)`,
		`a.\ud83d(..)`:           `a.\ud83d(..)`,
		`a.\ude00\ud83d(..)`:     `a.\ude00\ud83d(..)`,
		`a.\ud83d\ud83d(..)`:     `a.\ud83d\ud83d(..)`,
		`a.\ude00\ude00(..)`:     `a.\ude00\ude00(..)`,
		`a.\ud800(..)`:           `a.\ud800(..)`,
		`a.\udc00(..)`:           `a.\udc00(..)`,
		`a.\udc00\udc00(..)`:     `a.\udc00\udc00(..)`,
		`a.\ud800\udc00(..)`:     "a.\U00010000(..)",
		`a.\ue000\udfff(..)`:     "a.\ue000\\udfff(..)",
		`a.\udbff\udc00(..)`:     "a.\U0010fc00(..)",
		`a\.b(..)`:               `a\.b(..)`,
		`a.b\u000a(..)`:          `a.b\u000a(..)`,
		`a.b\u0085(..)`:          `a.b\u0085(..)`,
		`a.b\`:                   `a.b\`,
		`a.\😀(..)`:               `a.\😀(..)`,
		`x\  y`:                  `x\u0020 y`,
		`x \ y`:                  `x \u0020y`,
		`a.\u00e9\u0022(..)`:     `a.é"(..)`,
		"a.B.c(int, a.D) throws": "a.B.c(int, a.D) throws",
	} {
		if got := Canonical(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune(`ab. *(),<\u0041d8é😀`))).Draw(t, "pattern")
		if once := Canonical(text); Canonical(once) != once {
			t.Fatalf("%q is %q, and that is %q", text, once, Canonical(once))
		}
	})
}

// TestNamed: in the name of a class wildcards, dots and what is escaped stay what they are, all else is taken for
// itself.
func TestNamed(t *testing.T) {
	for name, want := range map[string]string{
		"com.acme.*":   "com.acme.*",
		"a..B$C":       "a..B$C",
		"a.B b":        `a.B\u0020b`,
		"a.<x>(y),@[]": `a.\u003cx\u003e\u0028y\u0029\u002c\u0040[\u005d`,
		`a.\*B`:        `a.\u002aB`,
		`a.\😀`:         `a.\u005c😀`,
		"a/b;c":        "a/b;c",
		"a.😀":          "a.😀",
		"a.é":          "a.é",
	} {
		if got := Named(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	for name, wrong := range map[string]string{
		"a.B": "", "a.*": "", "..B": "", "B": "", "": `"" is not a name`, ".B": `".B" is not a name`, "a.": `"a." is not a name`,
		"a...B": `"a...B" is not a name`, "a/b": `"a/b" is not a name`, "a.B b": `"B b" is not a name; \  stands for  `,
		"a.B,": `"B," is not a name; \, stands for ,`, "a.B]": `"B]" is not a name`, `a.B\u002f`: `"B\u002f" is not a name`, "a.b\x01": "\"b\x01\" is not a name",
		`a.\😀`: `"\😀" is not a name`,
	} {
		got := ""
		if err := CheckClass(name); err != nil {
			got = err.Error()
		}
		if got != wrong {
			t.Errorf("%q: %q, want %q", name, got, wrong)
		}
	}
}

func TestASCII(t *testing.T) {
	for text, want := range map[string]string{"a.B.c(..)": "a.B.c(..)", "a.é\x7f": "a.\\u00e9\x7f", "\u0080": `\u0080`, "😀": `\ud83d\ude00`} {
		if got := ASCII(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestSigns: a sign is one where something follows, and goes with the blanks behind it.
func TestSigns(t *testing.T) {
	for text, want := range map[string]string{"+ a.b()": "+ a.b()", "-a.b()": "- a.b()", "a.b()": " ", "+": " ", "-": " ", "": " ", "* a.b()": " "} {
		got := Sign(text) + " "
		if got != " " {
			got += Unsigned(text)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := Every("a.B") + " " + EveryAnnotated("a.M"); got != "a.B.*(..) @a.M *.*(..)" {
		t.Error(got)
	}
}

// TestLines: the lines of a file are counted from 1, and comments and empty ones are none.
func TestLines(t *testing.T) {
	var got []string
	Lines("# one\n a.b() \n\n\t# four\n+ c.d()\r\n#\ne", func(line int, pattern string) { got = append(got, fmt.Sprintf("%d %s", line, pattern)) })
	if diff := cmp.Diff([]string{"2 a.b()", "5 + c.d()", "7 e"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestModifiers: each of them is known, by itself and as what is not, and any later one may follow.
func TestModifiers(t *testing.T) {
	for i, first := range modifiers {
		for k, second := range modifiers {
			text := fmt.Sprintf("public %s non_%s void a.b()", first, second)
			if err := Check(text); (err == nil) != (k > i) {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	for _, v := range visibilities {
		for _, text := range []string{v + " void a.b()", "non_static " + v + " a.b()"} {
			if err := Check(text); (err == nil) != strings.HasPrefix(text, v) {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if err := Check("non_public void a.b()"); err == nil {
		t.Error("what is not public is not a visibility")
	}
}

// TestNoHint: what no name contains, and what can't be printed, has no hint how to write it.
func TestNoHint(t *testing.T) {
	for _, c := range ".;[/\\]\t\n" {
		if got := hint(uint16(c)); got != "" {
			t.Errorf("%q: %s", c, got)
		}
	}
	for _, c := range "(),<>*@ \u0080" {
		if got, want := hint(uint16(c)), fmt.Sprintf(`; \%c stands for %c`, c, c); got != want {
			t.Errorf("%q: %q, want %q", c, got, want)
		}
	}
}

package framework

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestExpand(t *testing.T) {
	vars := map[string]string{"class": "a.B", "jar.agent": "/x{y}.jar", "port": "1"}
	tests := []struct{ template, want, err string }{
		{"-Dx={class}.m", "-Dx=a.B.m", ""},
		{"-javaagent:{jar.agent}", "-javaagent:/x{y}.jar", ""},
		{"{{class}}", "{class}", ""},
		{"{{{class}}}", "{a.B}", ""},
		{"", "", ""},
		{"{prot}", "", `in "{prot}": unknown placeholder {prot} (did you mean "port"?)`},
		{"${a b}", "", "a single {"},
		{"a}", "", "a single }"},
	}
	for _, test := range tests {
		got, err := Expand(test.template, vars)
		if test.err == "" && (err != nil || got != test.want) {
			t.Errorf("Expand(%q) = %q, %v; want %q", test.template, got, err, test.want)
		}
		if test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("Expand(%q): error %v, want %s", test.template, err, test.err)
		}
	}
}

// TestExpandEscaped: any text with its braces doubled expands to itself.
func TestExpandEscaped(t *testing.T) {
	escape := strings.NewReplacer("{", "{{", "}", "}}")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("{}a.\n"))).Draw(t, "s")
		if got, err := Expand(escape.Replace(s), nil); err != nil || got != s {
			t.Fatalf("got %q, %v; want %q", got, err, s)
		}
	})
}

package jvm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseMessage(t *testing.T) {
	for _, c := range []struct {
		line string
		want Message
	}{
		{"bye", Message{Verb: "bye", Args: map[string]string{}}},
		{"ready clock_ns=29.5 tick_ns=10", Message{Verb: "ready", Args: map[string]string{"clock_ns": "29.5", "tick_ns": "10"}}},
		{`hello  vm="OpenJDK 64-Bit Server VM" a= b=""`, Message{Verb: "hello", Args: map[string]string{"vm": "OpenJDK 64-Bit Server VM", "a": "", "b": ""}}},
		{`error message="quoted \"v\" with \\ \n escapes" x="a=b"`, Message{Verb: "error", Args: map[string]string{"message": "quoted \"v\" with \\ \n escapes", "x": "a=b"}}},
		{"series columns=t:ns:duration", Message{Verb: "series", Args: map[string]string{"columns": "t:ns:duration"}}},
	} {
		got, err := ParseMessage(c.line)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.line, d)
		}
	}
}

func TestParseGarbage(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "verb"},
		{" ready", "verb"},
		{"READY", "verb"},
		{"Exception in thread", "verb"},
		{"ready\r", "verb"},
		{"ready now", "key=value"},
		{"ready =1", "key=value"},
		{"ready a=1 a=2", "a twice"},
		{`ready a="x`, "closing quote"},
		{`ready a="x"y=1`, "follows the closing quote"},
		{`ready a="\q"`, "not followed"},
		{`ready a="\`, "not followed"},
		{`ready a=x"y`, "needs quotes"},
		{"ready a=b=c", "needs quotes"},
		{`ready a="\t"`, "not followed"},
		{"ready a=\xff", "UTF-8"},
	} {
		if _, err := ParseMessage(c.line); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want …%s…", c.line, err, c.want)
		}
	}
}

func TestParseTooManyArguments(t *testing.T) {
	line := "ready"
	for n := range maxArgs {
		line += fmt.Sprintf(" a%d=", n)
	}
	if m, err := ParseMessage(line); err != nil || len(m.Args) != maxArgs {
		t.Errorf("%d arguments, %v", len(m.Args), err)
	}
	if _, err := ParseMessage(line + " b="); err == nil || !strings.Contains(err.Error(), "more than 100 arguments") {
		t.Errorf("one more: %v", err)
	}
}

func TestMessageRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Message{
			Verb: rapid.StringMatching(`[a-z][a-z0-9_]{0,8}`).Draw(t, "verb"),
			Args: rapid.MapOf(rapid.StringMatching(`[a-z][a-z0-9_]{0,8}`), rapid.String()).Draw(t, "args"),
		}
		line := want.Line()
		if strings.Contains(line, "\n") {
			t.Fatalf("%q is more than one line", line)
		}
		got, err := ParseMessage(line)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%q: %s", line, d)
		}
	})
}

func FuzzParseMessage(f *testing.F) {
	f.Add(`error message="a \"b\" \\ \n" x=1`)
	f.Fuzz(func(t *testing.T, line string) {
		m, err := ParseMessage(line)
		if err != nil {
			return
		}
		again, err := ParseMessage(m.Line())
		if err != nil || !cmp.Equal(m, again) {
			t.Errorf("%q became %q: %v", line, m.Line(), err)
		}
	})
}

func TestGetters(t *testing.T) {
	m := Message{Verb: "measured", Args: map[string]string{"n": "12", "bad": "many"}}
	if n, err := m.Int("n"); n != 12 || err != nil {
		t.Errorf("n = %d, %v", n, err)
	}
	_, err := m.Int("bad")
	mustFail(t, err, KindProtocol, `measured with bad="many"`)
	_, err = m.Int("gone")
	mustFail(t, err, KindProtocol, "measured without gone")
}

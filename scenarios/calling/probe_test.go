package calling

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// fakeFixture answers as it is told, and notes what is done to it.
type fakeFixture struct {
	run.Subject
	did     []string
	answers map[string][]string // by verb: the lines of the next answers
}

func (f *fakeFixture) Attach(context.Context) error {
	f.did = append(f.did, "attach")
	return nil
}

func (f *fakeFixture) ask(verb string, args map[string]string) ([]jvm.Message, error) {
	f.did = append(f.did, jvm.Message{Verb: verb, Args: args}.Line())
	lines := map[string]string{
		"prime": "primed calls=" + args["calls"], "records": "records entered=0",
		"activate": "active classes=1 methods=1 failed=0", "deactivate": "inactive classes=1 methods=1 failed=0",
	}[verb]
	if next := f.answers[verb]; len(next) > 0 {
		lines, f.answers[verb] = next[0], next[1:]
	}
	var answer []jvm.Message
	for line := range strings.Lines(lines) {
		m, err := jvm.ParseMessage(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, err
		}
		answer = append(answer, m)
	}
	return answer, nil
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

// expecting keeps what is expected.
type expecting struct {
	run.Recorder
	records int64
}

func (e *expecting) Expected(n int64) { e.records = n }

func invocation(v framework.Variant, parameters ...results.Value) plan.Invocation {
	v.Proof = framework.Proof{Kind: results.ProofCount, PerCall: "depth"}
	parameters = append(parameters, results.Value{Name: "calls", Value: "1000"}, results.Value{Name: "depth", Value: "10"})
	cell := plan.Cell{Recipe: v}
	cell.Parameters, cell.Launch, cell.Proof.Kind = parameters, results.Launch{Target: "a.B"}, results.ProofCount
	cell.Work = plan.Work{Counted: true, Calls: cell.Int("calls"), Depth: cell.Int("depth"), WaitNS: cell.Int("method_time")}
	return plan.Invocation{Cell: cell}
}

func TestStepsBeforeMeasuring(t *testing.T) {
	const pattern = "+ {class}.m()"
	prime, activate, deactivate := "prime calls=20000", `activate pattern="+ a.B.m()"`, `deactivate pattern="+ a.B.m()"`
	tests := []struct {
		name    string
		variant framework.Variant
		did     []string
		records int64
	}{
		{"at load", framework.Variant{}, nil, 0},
		{"swapped in", framework.Variant{Activate: pattern}, []string{prime, activate, prime}, 210_000},
		{"attached", framework.Variant{Attach: "x", Activate: pattern}, []string{prime, "attach", activate, prime}, 210_000},
		{"attached, dormant", framework.Variant{Attach: "x"}, []string{prime, "attach", prime}, 210_000},
		{"removed", framework.Variant{Activate: pattern, Deactivate: pattern}, []string{prime, "attach", activate, prime, deactivate, prime, "records"}, 200_000},
		{"at load, removed", framework.Variant{Deactivate: pattern}, []string{prime, deactivate, prime, "records"}, 200_000},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, rec := &fakeFixture{}, &expecting{}
			p := Probe{Ask: run.StartFixture(t.Context(), answering{f, f.ask}), inv: invocation(test.variant)}
			p.prepare(rec)
			if p.Open(); p.Ask.Err != nil {
				t.Fatal(p.Ask.Err)
			}
			if test.variant.Attach == "" { // then Attach does nothing
				f.did = slices.DeleteFunc(f.did, func(s string) bool { return s == "attach" })
				test.did = slices.DeleteFunc(test.did, func(s string) bool { return s == "attach" })
			}
			if d := cmp.Diff(test.did, f.did); d != "" || rec.records != test.records {
				t.Errorf("expects %d records, want %d\n%s", rec.records, test.records, d)
			}
		})
	}
}

func TestPrimingIsShorterForLongMethods(t *testing.T) {
	for each, want := range map[string]string{"0": "20000", "1000": "20000", "500000": "10000", "60000000000": "1"} {
		f := &fakeFixture{}
		p := Probe{Ask: run.StartFixture(t.Context(), answering{f, f.ask}), inv: invocation(framework.Variant{}, results.Value{Name: "method_time", Value: each})}
		if p.prime(); p.Ask.Err != nil || f.did[0] != "prime calls="+want {
			t.Errorf("method_time %s ns: %v, %v; want %s calls", each, f.did, p.Ask.Err, want)
		}
	}
}

func TestChangesThatFail(t *testing.T) {
	tests := []struct {
		name, verb, answer, want string
	}{
		{"nothing", "activate", "active classes=0 methods=0 failed=0", "changed nothing"},
		{"in part", "activate", "failure reason=\"class a.B: too long\"\nactive classes=1 methods=1 failed=1", "failed for 1 classes: class a.B: too long"},
		{"in part, without a reason", "activate", "active classes=1 methods=1 failed=2", "failed for 2 classes: "},
		{
			"in part, of an older fixture", "activate",
			"failure reason=a\nfailure reason=b\nactive classes=1 methods=1", "failed for 2 classes: a; b",
		},
		{"nothing taken out", "deactivate", "inactive classes=0 methods=0", "changed nothing"},
		{"unknown", "deactivate", "inactive classes=0", "without methods"},
		{"still in", "records", "records entered=8", "saw 3 calls after that"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := &fakeFixture{answers: map[string][]string{test.verb: {test.answer}}}
			if test.verb == "records" {
				f.answers["records"] = []string{"records entered=5", test.answer}
			}
			p := Probe{Ask: run.StartFixture(t.Context(), answering{f, f.ask}), inv: invocation(framework.Variant{Activate: "p", Deactivate: "p"})}
			p.prepare(&expecting{})
			p.Open()
			p.Close(&expecting{})
			var failure *jvm.Failure
			if !errors.As(p.Ask.Err, &failure) || !strings.Contains(p.Ask.Err.Error(), test.want) {
				t.Errorf("%v, want %q", p.Ask.Err, test.want)
			}
		})
	}
}

func TestSilentWhenNobodyKnows(t *testing.T) {
	f := &fakeFixture{answers: map[string][]string{"records": {"records recorded=5", "records recorded=6"}}}
	p := Probe{Ask: run.StartFixture(t.Context(), answering{f, f.ask}), inv: invocation(framework.Variant{Deactivate: "p"})}
	p.prepare(&expecting{})
	p.Open()
	if p.Close(&expecting{}); p.Ask.Err != nil {
		t.Error(p.Ask.Err)
	}
}

// told is what a Recorder is told of records.
type told struct {
	run.Recorder
	expected int64
	scalars  map[string]float64
}

func (r *told) Printed(*results.Output)           {}
func (r *told) AtLeast(string, float64)           {}
func (r *told) Invalid(string, ...any)            {}
func (r *told) Void([]string, string, ...any)     {}
func (r *told) Expected(n int64)                  { r.expected = n }
func (r *told) Scalar(name string, value float64) { r.scalars[name] = value }

func TestProbeTellsHowManyRecordsACallMakes(t *testing.T) {
	tests := []struct {
		name, pattern string
		counts        []string // as answered before and after the loop
		proof         results.ProofKind
		expected      int64
		perCall       float64 // -1: not told
	}{
		{"all", "* a..*.*(..)", []string{"30", "1030"}, results.ProofCount, 1030, 10},
		{"none may arrive", "* a..*.*(..)", []string{"0", "0"}, results.ProofZero, 0, 0},
		{"nobody counts", "* a..*.*(..)", []string{""}, results.ProofCount, 0, -1},
		{"known beforehand", plan.OwnMethod, nil, results.ProofCount, 0, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			left := tt.counts
			ask := func(verb string, _ map[string]string) ([]jvm.Message, error) {
				if verb != "records" || len(left) == 0 {
					return nil, errors.New("not expected: " + verb)
				}
				m := jvm.Message{Verb: verb, Args: map[string]string{}}
				if left[0] != "" {
					m.Args["entered"] = left[0]
				}
				left = left[1:]
				return []jvm.Message{m}, nil
			}
			cell := plan.Cell{Cell: results.Cell{Proof: results.ProofPlan{Kind: tt.proof}}}
			cell.Work = plan.Work{Pattern: plan.Signature(tt.pattern), Counted: true, Calls: 50, Threads: 2}
			p, rec := Probe{inv: plan.Invocation{Cell: cell}, Ask: run.StartFixture(t.Context(), answering{ask: ask})}, &told{scalars: map[string]float64{}}
			p.Open()
			if p.Close(rec); p.Ask.Err != nil {
				t.Fatal(p.Ask.Err)
			}
			perCall, ok := rec.scalars[run.RecordsPerCall]
			if !ok {
				perCall = -1
			}
			if rec.expected != tt.expected || perCall != tt.perCall || len(left) > 0 {
				t.Errorf("expected %d, per call %v, %d answers left; want %d, %v, 0", rec.expected, perCall, len(left), tt.expected, tt.perCall)
			}
		})
	}
}

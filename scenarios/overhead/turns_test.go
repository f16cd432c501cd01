package overhead

import (
	"context"
	"strings"
	"testing"

	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// whole is a scenario of the same name that can't be asked for pieces.
type whole struct{ plan.Plain }

func (whole) Schema() plan.Schema                         { return Scenario{}.Schema() }
func (whole) Questions([]results.Cell) []results.Question { return nil }

func (whole) Drive(context.Context, plan.Invocation, run.Subject, run.Recorder) error { return nil }

// TestWhoTakesTurns: what is compared with a baseline, and that baseline's second one.
func TestWhoTakesTurns(t *testing.T) {
	p, err := planned(t, `variants = ["none", "kieker/bci/collect", "kieker/bci/disabled"]`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range p.Cells {
		if c := &p.Cells[i]; run.TakesTurns([]run.Scenario{Scenario{}}, c) {
			got = append(got, c.Label())
		}
		if run.TakesTurns([]run.Scenario{whole{}}, &p.Cells[i]) {
			t.Errorf("%s takes turns, and its scenario can't", p.Cells[i].Label())
		}
	}
	if want := "none#aa kieker/bci/collect kieker/bci/disabled"; strings.Join(got, " ") != want {
		t.Errorf("%v take turns, want %s", got, want)
	}
}

// TestWhatRunsInAPair: the digest is another one where something else runs, in the variant or in
// its baseline, and only there.
func TestWhatRunsInAPair(t *testing.T) {
	const usual = "variants = [\"none\", \"kieker/bci/collect\"]\n"
	digest := func(lines, content string, args ...string) string {
		t.Helper()
		p, err := planned(t, lines)
		if err != nil {
			t.Fatal(err)
		}
		r := &run.Runner{Plan: p, Args: args, Artifacts: &run.Artifacts{}}
		file := func(path string) (string, error) { return content, nil }
		for i := range p.Cells {
			if c := &p.Cells[i]; c.Role == results.RoleVariant {
				sum, err := r.PairDigest(c, p.Cell(c.Baseline), file)
				if err != nil {
					t.Fatal(err)
				}
				return sum
			}
		}
		t.Fatal("no variant")
		return ""
	}
	first := digest(usual, "jar")
	for what, same := range map[string]string{
		"calls and blocks": digest(usual+"calls = 1000\nblocks = 3", "jar"),
		"another variant":  digest("variants = [\"none\", \"kieker/bci/collect\", \"kieker/bci/tcp\"]", "jar"),
		"heap":             digest(usual, "jar", "-Xmx512m"), // of the resources profile alone
	} {
		if same != first {
			t.Errorf("%s: another digest", what)
		}
	}
	for what, other := range map[string]string{
		"depth":    digest(usual+"depth = 5", "jar"),
		"threads":  digest(usual+"threads = 2", "jar"),
		"time":     digest(usual+"method_time = \"1us\"", "jar"),
		"batch":    digest(usual+"batch = 10", "jar"),
		"fixtures": digest(usual, "other"),
		"options":  digest(usual, "jar", "-XX:-Inline"),
		"variant":  digest("variants = [\"none\", \"kieker/bci/tcp\"]", "jar"),
		"baseline": digest("variants = [\"probe/bci/collect\", \"kieker/bci/collect\"]", "jar"),
		"gc":       digest(usual+"gc = \"g1\"", "jar"),
	} {
		if other == first {
			t.Errorf("another %s: the same digest", what)
		}
	}
}

// Another jar is another program, under the same name.
func TestAnotherJarIsAnotherPair(t *testing.T) {
	p, err := planned(t, `variants = ["none", "kieker/bci/collect"]`)
	if err != nil {
		t.Fatal(err)
	}
	c := p.Cell("c02")
	r := &run.Runner{Plan: p, Artifacts: &run.Artifacts{}}
	file := func(path string) (string, error) { return "", nil }
	before, err := r.PairDigest(c, p.Cell(c.Baseline), file)
	if err != nil {
		t.Fatal(err)
	}
	c.Recipe.Artifacts = append([]framework.Artifact{}, c.Recipe.Artifacts...)
	c.Recipe.Artifacts[0].SHA256 = "0ther"
	if after, err := r.PairDigest(c, p.Cell(c.Baseline), file); err != nil || after == before {
		t.Errorf("of %+v: %s, %v", c.Recipe.Artifacts, after, err)
	}
}

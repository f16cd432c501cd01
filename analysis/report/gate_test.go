package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// gatedBy is a made-up campaign with a gate about its duration; tests share it.
func gatedBy(t *testing.T, campaign func() *testcampaign.Store, g results.Gate) *analysis.Answers {
	t.Helper()
	g.Scenario, g.Metric, g.Alpha = "overhead", "duration", 0.01
	return sharedBy(t, fmt.Sprintf("%s gated by %+v", nameOf(campaign), g), func(t *testing.T) *analysis.Answers {
		s := campaign()
		s.Made.Gate = &g
		return analyse(t, s)
	})
}

func TestGateText(t *testing.T) {
	for name, c := range map[string]struct {
		campaign func() *testcampaign.Store
		gate     results.Gate
	}{
		// One variant is far worse, one slightly better.
		"gate-worse": {testcampaign.Small, results.Gate{WorseBy: 0.5, Reference: "none"}},
		// Against a pinned variant, dearer ones and cheaper ones.
		"gate-pinned":    {testcampaign.Small, results.Gate{WorseBy: 0.03, Reference: "probe/hotswap/collect", Variants: []string{"probe/bci/disabled", "kieker/manual/inactive"}}},
		"gate-undecided": {testcampaign.Small, results.Gate{WorseBy: 0.003, Reference: "none", Variants: []string{"probe/bci/disabled"}}},
		"gate-host":      {testcampaign.Small, results.Gate{WorseBy: 0.5, Reference: "none", Host: "bench-07"}},
		"gate-troubled":  {testcampaign.Troubled, results.Gate{WorseBy: 5, Reference: "none"}},
		"gate-void":      {testcampaign.Troubled, results.Gate{WorseBy: 0.05, Reference: "none", Variants: []string{"kieker/bci/wrong-class", "mine/bci/default"}}},
		"gate-factored":  {testcampaign.Factored, results.Gate{WorseBy: 0.6, Reference: "none"}},
		"gate-metrics": {testcampaign.Small, results.Gate{
			WorseBy: 0.003, Reference: "none", Variants: []string{"probe/bci/disabled"}, Also: []results.GateLimit{{Metric: "alloc_bytes", WorseBy: 0.05}},
		}},
		"gate-unordered": {testcampaign.Unordered, results.Gate{WorseBy: 0.6, Reference: "none"}},
	} {
		a := gatedBy(t, c.campaign, c.gate)
		for _, size := range []struct {
			suffix string
			width  int
		}{{"-60.txt", 60}, {"-120.txt", 120}} {
			var b bytes.Buffer
			if err := doc.Text(&b, gateAlone(a), doc.TextOptions{Width: size.width}); err != nil {
				t.Fatal(err)
			}
			got, _ := strings.CutPrefix(b.String(), "above\n")
			if diff := cmp.Diff(string(golden(t, name+size.suffix, []byte(got))), got); diff != "" {
				t.Errorf("%s (-want +got)\n%s", name+size.suffix, diff)
			}
			inspect(t, b.String(), Options{Width: size.width})
		}
	}
}

// gateAlone is a document of the gate, with a line above it.
func gateAlone(a *analysis.Answers) *doc.Document {
	return &doc.Document{Title: "above", Blocks: []doc.Block{gateSection(a)}}
}

// Every format has the gate; the page has it before the scenarios, the text
// after them.
func TestGateStandsInEveryFormat(t *testing.T) {
	a := gatedBy(t, testcampaign.Small, results.Gate{WorseBy: 0.5, Reference: "none"})
	const says = "worse: 2 of 4 cells shown to be worse than none by more than 50 %: kieker/bci/tcp, probe/hotswap/collect"
	if a.Gate.Sentence.String() != says {
		t.Fatalf("the gate says %q", a.Gate.Sentence)
	}
	var text, page, data bytes.Buffer
	for name, b := range map[string]*bytes.Buffer{"text": &text, "html": &page, "json": &data} {
		if err := Write(b, name, a, Options{Width: 200}); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(text.String(), says) || strings.Index(text.String(), "\nGate  ") < strings.Index(text.String(), "\noverhead  ") {
		t.Errorf("text:\n%s", text.String())
	}
	for _, want := range []string{
		`<h2 id="gate">Gate <span class="badge badmark">worse</span></h2>`, strings.TrimPrefix(says, "worse: "), "at most 50 % worse than none",
		`<span class="badge equivalent">passed</span>`, `<span class="badge badmark">worse</span>`,
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Index(page.String(), `id="gate"`) > strings.Index(page.String(), `id="s0"`) {
		t.Error("the gate stands after the scenarios")
	}
	alone, err := json.Marshal(a.Gate)
	if err != nil {
		t.Fatal(err)
	}
	var want any
	var back struct{ Gate any }
	for text, to := range map[*[]byte]any{&alone: &want, ptr(data.Bytes()): &back} {
		if err := json.Unmarshal(*text, to); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, back.Gate); diff != "" || want.(map[string]any)["sentence"] != says {
		t.Errorf("the gate as JSON (-want +got)\n%s", diff)
	}
}

// What a gate calls worse fails its test case, and stands at the head of a job's
// summary.
func TestGateForCI(t *testing.T) {
	a := gatedBy(t, testcampaign.Small, results.Gate{WorseBy: 0.5, Reference: "none"})
	var cases, summary bytes.Buffer
	for name, b := range map[string]*bytes.Buffer{"junit": &cases, "markdown": &summary} {
		if err := Write(b, name, a, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if got := cases.String(); strings.Count(got, "<failure ") != 2 || strings.Count(got, `name="gate: `) != 4 || !strings.Contains(got, `failures="2"`) {
		t.Errorf("junit:\n%s", got)
	}
	if got := summary.String(); !strings.Contains(got, "## Gate: worse\n") || strings.Index(got, "## Gate") > strings.Index(got, "## overhead") {
		t.Errorf("markdown:\n%s", got)
	}
	a = gatedBy(t, testcampaign.Small, results.Gate{WorseBy: 0.5, Reference: "none", Host: "bench-07"})
	cases.Reset()
	if err := Write(&cases, "junit", a, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := cases.String(); strings.Contains(got, "<failure ") || !strings.Contains(got, `type="no answer"`) {
		t.Errorf("junit of another host:\n%s", got)
	}
}

// A campaign without a gate says nothing about gates.
// Who watches metrics sees the verdict, its cells with their bounds, and no number
// of a cell that has none.
func TestGateInMetrics(t *testing.T) {
	a := gatedBy(t, testcampaign.Small, results.Gate{WorseBy: 0.5, Reference: "none"})
	got := written(t, "openmetrics", a)
	for _, want := range []string{
		`reference="none",verdict="regression"} 1`, "moobench_gate_allowed_ratio{", `cell="kieker/bci/tcp"`, `verdict="passed"} 1`,
		"moobench_gate_regression_low_ratio{", "moobench_gate_regression_high_ratio{",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\nmoobench_gate_regression_ratio{"); n != len(a.Gate.Cells) {
		t.Errorf("%d ratios of %d cells", n, len(a.Gate.Cells))
	}
	a = gatedBy(t, testcampaign.Troubled, results.Gate{WorseBy: 0.05, Reference: "none", Variants: []string{"kieker/bci/wrong-class"}})
	if got = written(t, "openmetrics", a); !strings.Contains(got, `verdict="no answer"} 1`) || strings.Contains(got, "moobench_gate_regression_ratio{") || !strings.Contains(got, `verdict="no answer"} 0`) {
		t.Errorf("of a void cell:\n%s", got)
	}
}

func TestNoGateNoWord(t *testing.T) {
	var text bytes.Buffer
	a := shared(t, testcampaign.Small)
	if err := Text(&text, a, Options{}); err != nil {
		t.Fatal(err)
	}
	if page := string(htmlOf(t, a, nil)); strings.Contains(text.String(), "Gate") || strings.Contains(page, `id="gate"`) {
		t.Error("there is no gate, and it is written about")
	}
}

// Labels are text in the gate too.
func TestGateOfHostileLabels(t *testing.T) {
	a := gatedBy(t, testcampaign.Hostile, results.Gate{WorseBy: 0.5, Reference: "none"})
	if len(a.Gate.Cells) == 0 {
		t.Fatal("nothing is judged: it shows nothing")
	}
	page := string(htmlOf(t, a, nil))
	if strings.Count(page, "<script") != 1 || strings.ContainsAny(page, "\x1b\u202e") { // the page's own
		t.Error("a label became more than text")
	}
	var b bytes.Buffer
	if err := doc.Text(&b, gateAlone(a), doc.TextOptions{Width: 120}); err != nil {
		t.Fatal(err)
	}
	inspect(t, b.String(), Options{Width: 120})
}

// TestCommentIsShort: at a pull request stand 15 lines at most, the table first, and in it the
// cells that the gate does not pass.
func TestCommentIsShort(t *testing.T) {
	strict := results.Gate{WorseBy: 0.001, Reference: "none"}
	for name, a := range map[string]*analysis.Answers{
		"gated": gatedBy(t, testcampaign.Small, strict), "troubled, gated": gatedBy(t, testcampaign.Troubled, strict),
		"troubled": shared(t, testcampaign.Troubled), "spoilt": spoiltAnswers(t), "served": shared(t, testcampaign.Served), "unordered": shared(t, testcampaign.Unordered),
	} {
		text := written(t, "comment", a)
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) > 15 || !strings.HasPrefix(lines[2], "| variant | adds |") {
			t.Errorf("%s: %d lines:\n%s", name, len(lines), text)
		}
		if a.Gate.Worse() && !strings.Contains(lines[4], "| worse |") {
			t.Errorf("%s: the first row is not what is worse:\n%s", name, text)
		}
	}
}

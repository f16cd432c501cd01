package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// Two baselines that differ stamp every output at its top.
func TestFailedSelfTestStampsEveryOutput(t *testing.T) {
	a := analyse(t, testcampaign.Make(testcampaign.Plan{
		Seed: 3, Blocks: 8, Samples: 500, Cells: testcampaign.Baselines(),
		Behaves: []testcampaign.Behaviour{{Mean: 561}, {Mean: 640}},
	}))
	var text, page, data bytes.Buffer
	for name, b := range map[string]*bytes.Buffer{"text": &text, "html": &page, "json": &data} {
		if err := Write(b, name, a, Options{Width: 100}); err != nil {
			t.Fatal(err)
		}
	}
	if lines := strings.Split(text.String(), "\n"); !strings.HasPrefix(lines[1], "! A/A FAILED (overhead): two equal baselines differ") {
		t.Errorf("the second line of the text is %q", lines[1])
	}
	header, _, _ := strings.Cut(page.String(), "</header>")
	if !strings.Contains(header, "A/A FAILED (overhead)") {
		t.Error("the header of the page has no stamp")
	}
	var answers struct{ Incomplete []string }
	if err := json.Unmarshal(data.Bytes(), &answers); err != nil || len(answers.Incomplete) == 0 || !strings.Contains(answers.Incomplete[0], "A/A failed") {
		t.Errorf("incomplete %q, %v", answers.Incomplete, err)
	}
}

func TestCalibrations(t *testing.T) {
	good := results.Calibration{When: time.Date(2026, 11, 20, 1, 0, 0, 0, time.UTC), KnownNS: 2000, MeasuredNS: 2003, LowNS: 1998, HighNS: 2008, Recovered: true}
	bad := good
	bad.MeasuredNS, bad.LowNS, bad.HighNS, bad.Recovered, bad.AA = 2503, 2398, 2608, false, "failed"
	host := func(id string, c *results.Calibration) *results.Machine {
		return &results.Machine{ID: id, Host: "host-" + id, Calibration: c}
	}
	for name, c := range map[string]struct {
		machines []*results.Machine
		want     []string
		bad      bool
	}{
		"none":          {nil, nil, false},
		"recovered":     {[]*results.Machine{host("a", &good)}, []string{"calibrated 2026-11-20: a known cost of 2 µs came out as 2.003 (1.998 … 2.008) µs: recovered"}, false},
		"not recovered": {[]*results.Machine{host("a", &bad)}, []string{"NOT recovered"}, true},
		"never":         {[]*results.Machine{host("a", nil)}, []string{"not calibrated: moobench doctor --calibrate"}, false},
		"latest state":  {[]*results.Machine{host("a", &good), host("a", nil)}, []string{"calibrated 2026-11-20"}, false},
		"two hosts":     {[]*results.Machine{host("a", &good), host("b", nil)}, []string{"host-a calibrated", "host-b not calibrated"}, false},
	} {
		got := calibrations(&analysis.Answers{Machines: c.machines})
		if len(got) != len(c.want) {
			t.Errorf("%s: %v", name, got)
			continue
		}
		for i, w := range c.want {
			if !strings.Contains(got[i].Text, w) || (got[i].Tone == doc.Bad) != c.bad {
				t.Errorf("%s: %+v, want %q", name, got[i], w)
			}
		}
	}
}

// What benchmarks.toml asks comes first, in its own order.
func TestAskedQuestionsComeFirst(t *testing.T) {
	s := &analysis.Scenario{Answers: []analysis.Answer{{ID: "a"}, {ID: "b", Asked: true}, {ID: "c"}, {ID: "d", Asked: true}}}
	lists := testdoc.Blocks[*doc.Entries](paged(&analysis.Answers{Scenarios: []analysis.Scenario{*s}}, 0).answers().Blocks)
	if len(lists) != 2 || len(lists[0].Items) != 2 || lists[0].Items[0].Term != "b" {
		t.Errorf("%+v", lists)
	}
}

// A whole campaign shows on the page what the text shows.
func TestWholePage(t *testing.T) {
	page := string(htmlOf(t, whole(t), nil))
	for _, want := range []string{
		"A/A FAILED", "pseudo-replication, intervals 12.40 to 19.40 times too narrow", "detectable", "per record", "no steady state 2 of 6",
		"Size: how many blocks", "not reached, set aside", "unlike its pilot", "Split into parts", "collecting the record", "no block holds both cells",
		"p99.9", "Quantiles of duration", "no block holds it and its baseline", "Spread between and within", "Questions of benchmarks.toml", `class="badge equivalent"`, `class="badge negligible"`,
		`class="before"`, "inconsistent (4 flat, 2 no steady state)", "came out as 2.003",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

package records

import (
	"strings"
	"testing"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/proof"
	"moobench/analysis/reading"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// read is the reading of a scenario of these cells.
func read(cells ...results.Cell) *reading.Reading {
	sc := results.Scenario{Label: "s", Metrics: []results.Metric{{Name: "x", Executions: "depth", Primary: true}}}
	for i := range cells {
		cells[i].Scenario = "s"
	}
	return reading.New(&results.Campaign{Cells: cells}, &sc, map[string][]*evidence.Invocation{}, infer.Solver{}, nil)
}

// TestQueue: half of the records are the window's, and five lengths of the queue are enough.
func TestQueue(t *testing.T) {
	for name, c := range map[string]struct {
		queue, expected, sibling int64
		invalid                  string
		want                     *Queue
	}{
		"enough":           {100, 1000, 0, "", &Queue{Length: 100, Produced: 500, Lengths: 5, Enough: true}},
		"one short":        {100, 998, 0, "", &Queue{Length: 100, Produced: 499, Lengths: 4.99}},
		"by what it is by": {100, 0, 2000, "", &Queue{Length: 100, Produced: 1000, Lengths: 10, Enough: true}},
		"no queue":         {0, 1000, 0, "", nil},
		"not known":        {100, 0, 0, "", nil},
		"invalid":          {100, 1000, 0, "it is", nil},
	} {
		r := read(results.Cell{ID: "c02", Queue: c.queue, Proof: results.ProofPlan{Cell: "c03", Expected: c.expected}},
			results.Cell{ID: "c03", Proof: results.ProofPlan{Expected: c.sibling}})
		if c.invalid != "" {
			r.Invalid["c02"] = c.invalid
		}
		got := Of(r, r.Cells[0], nil).Queue
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	alone := read(results.Cell{ID: "c02", Queue: 100})
	if got := Of(alone, alone.Cells[0], nil).Queue; got != nil {
		t.Errorf("of records that nothing tells: %+v", got)
	}
}

// Each outcome has its caveat, and one that is as it should be has none.
func TestCaveats(t *testing.T) {
	half := 0.5
	for _, c := range []struct {
		Outcome
		rank        caveat.Rank
		show, words string
	}{
		{Outcome{}, "", "", ""},
		{Outcome{Records: &proof.Records{Verdict: proof.Instrumented, Proof: results.ProofCount, Expected: 9}}, "", "", ""},
		{Outcome{Records: &proof.Records{Verdict: proof.Instrumented, Proof: results.ProofSibling}}, "", "", ""},
		{
			Outcome{Records: &proof.Records{Verdict: proof.Instrumented, Proof: results.ProofCount, Text: "said"}},
			caveat.Remark, "losses unknown (add per_call = \"depth\" to the proof)", "said; say in the proof",
		},
		{
			Outcome{Records: &proof.Records{Verdict: proof.NotInstrumented, Text: "said"}},
			caveat.NoResult, "not instrumented", "said; what ran was not monitored",
		},
		{
			Outcome{Records: &proof.Records{Verdict: proof.Nothing, Text: "said"}},
			caveat.Misleading, "nothing to record here", "said: its costs stand",
		},
		{Outcome{Records: &proof.Records{Verdict: proof.NotProven, Text: "said"}}, caveat.Misleading, "not proven", "said"},
		{
			Outcome{Records: &proof.Records{Verdict: proof.Unexpected, Text: "said"}},
			caveat.Misleading, "unexpected records", "said; the variant does more",
		},
		{
			Outcome{Records: &proof.Records{Verdict: proof.TooMany, Text: "said"}},
			caveat.Misleading, "more than expected", "said; more than the workload",
		},
		{
			Outcome{Records: &proof.Records{Verdict: proof.Lost, Lost: 955, Expected: 1000}},
			caveat.Misleading, "lost 95.5 %", "the number is the price of dropping records",
		},
		{
			Outcome{Records: &proof.Records{Verdict: proof.Deferred, Deferred: &half, Received: 9}},
			caveat.Misleading, "cost deferred 50 %", "so many of its records arrived only after the loop",
		},
		{
			Outcome{Records: &proof.Records{Verdict: proof.Deferred, Deferred: &half, Received: 9, Approximate: true}},
			caveat.Misleading, "cost deferred about 50 %", "so many of its records arrived only after the loop",
		},
		{Outcome{Queue: &Queue{Length: 2000, Lengths: 5, Enough: true}}, "", "", ""},
		{
			Outcome{Queue: &Queue{Length: 2000, Lengths: 0.4}},
			caveat.Remark, "queue not filled",
			"its queue holds 2,000 records and the window filled it only 0.4000 times: cost may still lie in the queue " +
				"when the clock stops; make at least 13 times as many calls",
		},
	} {
		r := read(results.Cell{ID: "c02"})
		got := c.Caveats(r, r.Cells[0])
		if c.show == "" {
			if got != nil {
				t.Errorf("%+v: %+v", c.Outcome, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Rank != c.rank || got[0].Show != c.show || !strings.HasPrefix(got[0].Text, c.words) {
			t.Errorf("%+v: %+v", c.Outcome, got)
		}
	}
}

// Where a call made another number of records than executions, a cost of one execution says so.
func TestCountedOtherwise(t *testing.T) {
	counted := proof.Records{Verdict: proof.Instrumented, Proof: results.ProofCount, Received: 2200}
	known, sibling, lost := counted, counted, counted
	known.Expected, sibling.Proof, lost.Verdict = 2200, results.ProofSibling, proof.Lost
	for name, c := range map[string]struct {
		rec            *proof.Records
		depth, threads string
		invocations    int
		want           string
	}{
		"as many as executions": {&counted, "10", "1", 2, "1.100 records a call"},
		"of two threads":        {&counted, "10", "2", 2, "0.5500 records a call"},
		"one per cent apart":    {&proof.Records{Verdict: proof.Instrumented, Proof: results.ProofCount, Received: 20_190}, "10", "1", 2, ""},
		"expected ones":         {&known, "10", "1", 2, ""},
		"not counted":           {&sibling, "10", "1", 2, ""},
		"lost ones":             {&lost, "10", "1", 2, ""},
		"no executions":         {&counted, "0", "1", 2, ""},
		"no invocation":         {&counted, "10", "1", 0, ""},
		"nothing known":         {nil, "10", "1", 2, ""},
	} {
		cell := results.Cell{ID: "c02", Parameters: []results.Value{
			{Name: "depth", Value: c.depth}, {Name: "calls", Value: "1000"}, {Name: "threads", Value: c.threads},
		}}
		r := read(cell)
		for range c.invocations {
			r.ByCell["c02"] = append(r.ByCell["c02"], &evidence.Invocation{Invocation: &results.Invocation{
				Profile: results.ProfileTiming, Status: results.StatusOK, Proof: results.Proof{Source: "otlp"},
			}})
		}
		ms, got := countedOtherwise(r, r.Cells[0], c.rec), ""
		if len(ms) > 0 {
			got = ms[0].Show
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The column beside numbers is short.
func TestBrief(t *testing.T) {
	for _, c := range []struct {
		rec  *proof.Records
		want string
	}{
		{nil, ""},
		{&proof.Records{Verdict: proof.NotInstrumented}, "none"},
		{&proof.Records{Verdict: proof.NotProven}, "not proven"},
		{&proof.Records{Verdict: proof.Nothing}, "nothing to record"},
		{&proof.Records{Verdict: proof.Instrumented, Proof: results.ProofSibling}, "sibling"},
		{&proof.Records{Verdict: proof.Instrumented, Proof: results.ProofZero}, "none due"},
		{&proof.Records{Verdict: proof.Unexpected, Proof: results.ProofZero, Received: 7}, "7 of 0"},
		{&proof.Records{Verdict: proof.Instrumented, Proof: results.ProofCount, Received: 7}, ""},
		{&proof.Records{Verdict: proof.Lost, Proof: results.ProofCount, Received: 45, Expected: 1000}, "4.5 %"},
	} {
		if got := (&Outcome{Records: c.rec}).Brief(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.rec, got, c.want)
		}
	}
}

// The table has a row for each cell of the scene with records; numbers that nobody counted are dashes.
func TestRows(t *testing.T) {
	late := 0.25
	all := Outcomes{
		"c00": {},
		"c02": {
			Records: &proof.Records{
				Proof: results.ProofCount, Source: "otlp", Invocations: 1, Expected: 4000, Received: 3000, Deferred: &late,
				Verdict: proof.Lost, Text: "said",
			},
			Queue: &Queue{Length: 2000, Produced: 6000},
		},
		"c03": {Records: &proof.Records{Proof: results.ProofNone, Verdict: proof.NotProven}, Queue: &Queue{Enough: true}},
		"c04": {Records: &proof.Records{}},
	}
	at := &chapter.Scene{Paged: true}
	for _, id := range []string{"c00", "c02", "c03"} {
		at.Cells = append(at.Cells, chapter.Cell{Key: rows.Key{Cell: id, Label: "v" + id}})
	}
	var got []string
	for _, r := range testdoc.Blocks[*doc.Table](all.Show(at))[0].Rows {
		var texts []string
		for _, c := range r.Cells {
			texts = append(texts, c.Text)
		}
		got = append(got, strings.Join(texts, "|"))
	}
	want := "vc02|count (otlp)|4,000|3,000|25 %|lost|said. Its queue holds 2,000 records; the window made 6,000, too few to show its cost\n" +
		"vc03|none|–|–||not proven|. Its queue holds 0 records; the window made 0"
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if at.Paged = false; all.Show(at) != nil || all.Rows(at) != nil {
		t.Error("a terminal has the table")
	}
}

package proof

import (
	"testing"

	"moobench/analysis/evidence"
	"moobench/results"
)

// viewOf is the evidence of a scenario with a baseline, c00, its second copy, and these variants.
func viewOf(cells []results.Cell, all ...evidence.Invocation) *evidence.View {
	c := &results.Campaign{
		Cells: []results.Cell{
			{ID: "c00", Scenario: "s", Variant: "none", Role: results.RoleBaseline},
			{ID: "c01", Scenario: "s", Variant: "none", Role: results.RoleAA, Baseline: "c00"},
		},
		Scenarios: []results.Scenario{{Label: "s", Metrics: []results.Metric{
			{Name: "wall", Primary: true}, {Name: "wrong", Of: "requests", BaselineMost: 0.01}, {Name: "late", Of: "requests"},
		}}},
	}
	c.Cells = append(c.Cells, cells...)
	return evidence.NewView(c, &c.Scenarios[0], evidence.ByCell(all))
}

func variant(id, name string, plan results.ProofPlan) results.Cell {
	return results.Cell{ID: id, Scenario: "s", Variant: name, Role: results.RoleVariant, Baseline: "c00", Proof: plan}
}

// ran is an invocation with the fates of its records.
func ran(cell string, proofs ...results.Proof) evidence.Invocation {
	inv := &results.Invocation{Cell: cell, Profile: results.ProfileTiming, Status: results.StatusOK}
	if len(proofs) > 0 {
		inv.Proof, inv.Beside = proofs[0], proofs[1:]
	}
	return evidence.Invocation{Invocation: inv}
}

func failed(cell string, failure *results.Failure) evidence.Invocation {
	inv := ran(cell)
	inv.Status, inv.Failure = results.StatusFailed, failure
	return inv
}

// counted is a fate of records: so many had to come, and came, some of them only after the loop.
func counted(expected, came, late int64) results.Proof {
	return results.Proof{Source: "otlp", Expected: expected, ByExit: came, ByLoopEnd: came - late}
}

// judged returns the verdict on the variant c02, which c03 proves.
func judged(plan results.ProofPlan, optional bool, of, by []evidence.Invocation) *Records {
	proves := variant("c03", "counted", results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Expected: 100, Optional: optional})
	proves.Role = results.RoleProof
	return Judge(viewOf([]results.Cell{variant("c02", "mine", plan), proves}, append(of, by...)...))["c02"]
}

// TestCounted: the verdict on records that were counted, and what is said of it.
func TestCounted(t *testing.T) {
	count := results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Expected: 100}
	optional := results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Optional: true}
	unknown := results.ProofPlan{Kind: results.ProofCount, Source: "otlp"}
	stopped := counted(100, 50, 0)
	stopped.Missing = "it was stopped"
	untimed := counted(100, 100, 100)
	untimed.LoopEndUnknown = true
	for name, c := range map[string]struct {
		plan    results.ProofPlan
		records []results.Proof
		want    Proven
		says    string
	}{
		"all":              {count, []results.Proof{counted(0, 100, 0), counted(0, 100, 0)}, Instrumented, "all 200 records arrived"},
		"its own number":   {count, []results.Proof{counted(150, 150, 0), counted(0, 100, 0)}, Instrumented, "all 250 records arrived"},
		"one short":        {count, []results.Proof{counted(0, 100, 0), counted(0, 99, 0)}, Lost, "199 of 200 records arrived: 0.50 % lost"},
		"lost and doubled": {count, []results.Proof{counted(0, 101, 0), counted(0, 99, 0)}, Lost, "200 of 200 records arrived: 0.50 % lost"},
		"one too many":     {count, []results.Proof{counted(0, 100, 0), counted(0, 101, 0)}, TooMany, "201 of 200 records arrived: more than the calls can have made"},
		"none":             {count, []results.Proof{counted(0, 0, 0), counted(0, 0, 0)}, NotInstrumented, "not one record arrived, where 200 must"},
		"none once":        {count, []results.Proof{counted(0, 100, 0), counted(0, 0, 0)}, NotInstrumented, "not one record arrived in 1 of 2 invocations"},
		"late":             {count, []results.Proof{counted(0, 100, 11)}, Deferred, "100 of 100 records arrived, 11 % only after the loop"},
		"hardly late":      {count, []results.Proof{counted(0, 100, 10)}, Instrumented, "all 100 records arrived"},
		"when is unknown":  {count, []results.Proof{untimed}, Instrumented, "all 100 records arrived"},
		"nobody counted":   {count, []results.Proof{{}}, NotProven, "its records were not counted"},
		"why some are not": {count, []results.Proof{stopped, counted(0, 100, 0)}, Lost, "150 of 200 records arrived: 25.0 % lost; it was stopped"},
		"how many unknown": {unknown, []results.Proof{counted(0, 90, 0)}, Instrumented, "90 records arrived; how many must is not known, so lost ones would not be seen"},
		"unknown and none": {unknown, []results.Proof{counted(0, 0, 0)}, NotInstrumented, "not one record arrived, where some must"},
		"none, optional":   {optional, []results.Proof{counted(0, 0, 0)}, Nothing, "no record arrived, and there may be nothing here that it records by itself"},
		"optional, once": {
			optional, []results.Proof{counted(0, 100, 0), counted(0, 0, 0)}, NotInstrumented, "not one record arrived in 1 of 2 invocations",
		},
	} {
		var all []evidence.Invocation
		for _, p := range c.records {
			all = append(all, ran("c02", p))
		}
		if r := judged(c.plan, false, all, nil); r.Verdict != c.want || r.Text != c.says {
			t.Errorf("%s: %s: %s\nwant %s: %s", name, r.Verdict, r.Text, c.want, c.says)
		}
	}
	sought := ran("c02", counted(0, 50, 0))
	sought.Series = []results.Series{{Name: results.SeriesRated}}
	if r := judged(count, false, []evidence.Invocation{sought}, nil); r.Verdict != Instrumented || r.Text != "50 of 100 records arrived: it was asked for rates that it does not sustain" {
		t.Errorf("%s: %s", r.Verdict, r.Text)
	}
}

// TestShares: shares are of all records, and the least one of a single run.
func TestShares(t *testing.T) {
	plan := results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Expected: 100}
	of := counted(0, 60, 0)
	of.LoopEndFromBytes = true
	r := judged(plan, false, []evidence.Invocation{ran("c02", counted(0, 100, 40)), ran("c02", of), ran("c02", counted(0, 80, 20))}, nil)
	if *r.Share != 0.8 || *r.LeastShare != 0.6 || *r.Deferred != 0.25 || r.Lost != 60 || r.Invocations != 3 || !r.Approximate || r.Source != "otlp" {
		t.Errorf("%v of %d, least %v, late %v, lost %d, approximate %v", *r.Share, r.Invocations, *r.LeastShare, *r.Deferred, r.Lost, r.Approximate)
	}
	r = judged(plan, false, []evidence.Invocation{ran("c02", counted(0, 0, 0))}, nil)
	if *r.Share != 0 || *r.LeastShare != 0 || r.Deferred != nil || r.Approximate {
		t.Errorf("none: %+v", r)
	}
	r = judged(results.ProofPlan{Kind: results.ProofCount}, false, []evidence.Invocation{ran("c02", counted(0, 5, 0))}, nil)
	if r.Share != nil || r.LeastShare != nil || *r.Deferred != 0 {
		t.Errorf("of an unknown number: %+v", r)
	}
	r = judged(plan, false, []evidence.Invocation{ran("c02", counted(0, 50, -10))}, nil)
	if r.Deferred != nil {
		t.Errorf("fewer in the end than before: %v are late", *r.Deferred)
	}
}

// TestSiblings: the verdict on cells that another one proves.
func TestSiblings(t *testing.T) {
	by := func(expected, came int64) []evidence.Invocation {
		return []evidence.Invocation{ran("c03", counted(expected, came, 0))}
	}
	broken := failed("c03", &results.Failure{Kind: "start", Message: "no greeting"})
	sibling := results.ProofPlan{Kind: results.ProofSibling, Cell: "c03"}
	zero := results.ProofPlan{Kind: results.ProofZero, Source: "otlp", Cell: "c03"}
	faultless := results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Cell: "c03", Fault: "hang"}
	fault := func(name string) results.ProofPlan {
		return results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Cell: "c03", Expected: 100, Fault: name}
	}
	const few = ", and there may be nothing here that it records by itself"
	hung := " records arrived at a receiver that accepts connections, and neither reads nor answers, as was asked for; instrumented by counted, with the same options: 100 records arrived"
	for name, c := range map[string]struct {
		plan     results.ProofPlan
		optional bool
		records  []results.Proof // of the cell itself
		by       []evidence.Invocation
		want     Proven
		says     string
	}{
		"proven":     {sibling, false, nil, by(100, 100), Instrumented, "by counted, with the same options: 100 records arrived"},
		"some lost":  {sibling, false, nil, by(100, 99), Instrumented, "by counted, with the same options: 99 of its 100 records arrived"},
		"silent":     {sibling, false, nil, by(100, 0), NotInstrumented, "not one record arrived from counted, which has the same options, where 100 must"},
		"how many":   {sibling, false, nil, by(-1, 0), NotInstrumented, "not one record arrived from counted, which has the same options, where some must"},
		"idle":       {sibling, true, nil, by(100, 0), Nothing, "no record arrived from counted, which has the same options" + few},
		"failed":     {sibling, false, nil, []evidence.Invocation{broken}, NotProven, "counted should have proven it: it failed: no greeting"},
		"for some":   {sibling, false, nil, []evidence.Invocation{failed("c03", nil)}, NotProven, "counted should have proven it: it failed"},
		"failed too": {sibling, false, nil, append(by(100, 100), broken), Instrumented, "by counted, with the same options: 100 records arrived"},
		"silent too": {sibling, false, nil, append(by(100, 0), broken), NotInstrumented, "not one record arrived from counted, which has the same options, where 100 must"},
		"not run":    {sibling, false, nil, nil, NotProven, "counted should have proven it: it was not run"},
		"not there": {
			results.ProofPlan{Kind: results.ProofSibling, Cell: "c09"}, false, nil, nil, NotProven, "c09 should have proven it: it is not in the campaign",
		},
		"zero":           {zero, false, []results.Proof{counted(0, 0, 0)}, by(100, 100), Instrumented, "no record arrived, as it must be, and 100 did from counted"},
		"zero, yet some": {zero, false, []results.Proof{counted(0, 3, 0)}, by(100, 100), Unexpected, "3 records arrived, where none may"},
		"zero, as all":   {zero, false, []results.Proof{counted(0, 0, 0)}, by(100, 0), NotInstrumented, "no record arrived, but none from counted either, where 100 must"},
		"zero, idle":     {zero, true, []results.Proof{counted(0, 0, 0)}, by(100, 0), Nothing, "no record arrived, as it must be, but none from counted either" + few},
		"zero, unproven": {
			zero, false,
			[]results.Proof{counted(0, 0, 0)},
			nil, NotProven,
			"no record arrived, but that proves nothing, because counted should have shown that some can: it was not run",
		},
		"zero, unseen":     {zero, false, []results.Proof{{}}, by(100, 100), NotProven, "nobody counted whether records arrive"},
		"fault":            {fault("hang"), false, []results.Proof{counted(0, 0, 0)}, by(100, 100), Lost, "0 of 100" + hung},
		"fault, no count":  {faultless, false, []results.Proof{counted(0, 0, 0)}, by(100, 100), Lost, "0" + hung},
		"fault, all":       {fault("hang"), false, []results.Proof{counted(0, 100, 0)}, by(100, 100), Instrumented, "100 of 100" + hung},
		"fault, some":      {fault("hang"), false, []results.Proof{counted(0, 1, 0)}, by(100, 100), Lost, "1 of 100" + hung},
		"fault, uncounted": {fault("hang"), false, []results.Proof{{}}, by(100, 100), NotProven, "its records were not counted"},
		"fault, as ever":   {fault("hang"), false, []results.Proof{counted(0, 1, 0)}, by(100, 0), NotInstrumented, "not one record arrived from counted, which has the same options, where 100 must"},
		"unknown fault": {
			fault("sing"), false,
			[]results.Proof{counted(0, 1, 0)},
			by(100, 100), Lost,
			"1 of 100 records arrived at a receiver that is to sing, as was asked for; instrumented by counted, with the same options: 100 records arrived",
		},
	} {
		of := []evidence.Invocation{ran("c02", c.records...)}
		if r := judged(c.plan, c.optional, of, c.by); r.Verdict != c.want || r.Text != c.says {
			t.Errorf("%s: %s: %s\nwant %s: %s", name, r.Verdict, r.Text, c.want, c.says)
		}
	}
}

// TestWithoutAProof: what is said where nothing proves anything, and where the files of others hold no records.
func TestWithoutAProof(t *testing.T) {
	for source, want := range map[string]string{
		"":         "nothing proves the instrumentation: whether the measured method was monitored is not known; give the variant a proof",
		"moobench": "nothing proves the instrumentation: whether the measured method was monitored is not known; give the variant a proof",
		"JMH":      "the files of JMH hold no records: whether the agent was at work when they were made is not known from them",
	} {
		v := viewOf([]results.Cell{variant("c02", "mine", results.ProofPlan{Kind: results.ProofNone})}, ran("c02"))
		v.Campaign.Source = source
		if r := Judge(v)["c02"]; r.Verdict != NotProven || r.Text != want || len(v.Invalid) > 0 {
			t.Errorf("%q: %s: %s; invalid: %v", source, r.Verdict, r.Text, v.Invalid)
		}
	}
	v := viewOf([]results.Cell{variant("c02", "mine", results.ProofPlan{Kind: results.ProofNone})}, failed("c02", nil))
	if r := Judge(v)["c02"]; r != nil {
		t.Errorf("it failed, and is %s", r.Verdict)
	}
}

// TestTogether: several agents in one JVM have the worst of their verdicts, and each its clause.
func TestTogether(t *testing.T) {
	plan := func(variant string) results.ProofPlan {
		return results.ProofPlan{Kind: results.ProofCount, Source: "otlp", Expected: 100, Variant: variant}
	}
	for _, c := range []struct {
		first, second results.Proof
		want          Proven
		says, invalid string
	}{
		{counted(0, 100, 0), counted(0, 100, 0), Instrumented, "a: all 100 records arrived; b: all 100 records arrived", ""},
		{counted(0, 100, 0), counted(0, 90, 0), Lost, "a: all 100 records arrived; b: 90 of 100 records arrived: 10.0 % lost", ""},
		{
			counted(0, 0, 0), counted(0, 90, 0), NotInstrumented, "a: not one record arrived, where 100 must; b: 90 of 100 records arrived: 10.0 % lost",
			"not instrumented: a: not one record arrived, where 100 must; b: 90 of 100 records arrived: 10.0 % lost",
		},
		{counted(0, 200, 0), counted(0, 100, 50), TooMany, "a: 200 of 100 records arrived: more than the calls can have made; b: 100 of 100 records arrived, 50 % only after the loop", ""},
	} {
		cell := variant("c02", "a + b", plan("a"))
		cell.Beside = []results.ProofPlan{plan("b")}
		v := viewOf([]results.Cell{cell}, ran("c02", c.first, c.second))
		if r := Judge(v)["c02"]; r.Verdict != c.want || r.Text != c.says || v.Invalid["c02"] != c.invalid {
			t.Errorf("%s: %s\nwant %s: %s\ninvalid: %q", r.Verdict, r.Text, c.want, c.says, v.Invalid["c02"])
		}
	}
}

// TestWrongAnswers: a baseline that answers wrongly is compared with nothing, and a variant that does breaks the
// application; a metric that says nothing of baselines is not asked.
func TestWrongAnswers(t *testing.T) {
	answered := func(cell string, wrong, requests float64) evidence.Invocation {
		e := ran(cell)
		e.Values, e.Scalars = map[string]float64{"wrong": wrong, "late": requests}, map[string]float64{"requests": requests}
		return e
	}
	const invalid = "not comparable: 2 of 100 requests of none were wrong; with more than 1 % it does not do the work that was asked for"
	const broken = "it breaks the application: with it 2.0 % of the requests are wrong (2 of 100), without it 1.0 %"
	for name, c := range map[string]struct {
		without, with   float64
		invalid, broken string
	}{
		"as many as may": {1, 1, "", ""},
		"the baseline":   {2, 5, invalid, ""},
		"the variant":    {1, 2, "", broken},
	} {
		v := viewOf([]results.Cell{variant("c02", "mine", results.ProofPlan{Kind: results.ProofNone})},
			answered("c00", c.without/2, 50), answered("c00", c.without/2, 50), answered("c02", c.with, 100))
		Judge(v)
		for _, id := range []string{"c00", "c01", "c02"} {
			if v.Invalid[id] != c.invalid {
				t.Errorf("%s: %s is invalid: %q, want %q", name, id, v.Invalid[id], c.invalid)
			}
		}
		if v.Broken["c02"] != c.broken || v.Broken["c00"] != "" {
			t.Errorf("%s: broken: %q, want %q", name, v.Broken, c.broken)
		}
	}
	v := viewOf([]results.Cell{variant("c02", "mine", results.ProofPlan{Kind: results.ProofNone})}, answered("c02", 50, 100))
	if Judge(v); v.Broken["c02"] != "" {
		t.Errorf("without a baseline: %s", v.Broken["c02"])
	}
}

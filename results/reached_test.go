package results

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLeavesOut: a cell is left out from the block on in which it was given up, by the shard that did.
func TestLeavesOut(t *testing.T) {
	c := &Campaign{GivenUp: []GivenUp{{Cell: "c", Block: 5, Shard: 2}, {Cell: "d", Block: 1}}}
	for _, x := range []struct {
		cell          string
		number, shard int
		want          bool
	}{
		{"c", 4, 2, false},
		{"c", 5, 2, true},
		{"c", 6, 2, true},
		{"c", 6, 1, false},
		{"d", 6, 2, false},
		{"d", 1, 0, true},
		{"e", 9, 2, false},
	} {
		if got := c.LeavesOut(x.cell, Block{Number: x.number, Shard: x.shard}); got != x.want {
			t.Errorf("%+v: %t", x, got)
		}
	}
	for design, want := range map[Design]bool{
		DesignBlocks: false, DesignUnordered: true, DesignPaired: true, "": false,
	} {
		if design.Imported() != want {
			t.Errorf("%q is imported: %t", design, !want)
		}
	}
}

// TestFindInCampaign: scenarios and cells are found by their names, in the campaign itself.
func TestFindInCampaign(t *testing.T) {
	c := &Campaign{
		Scenarios: []Scenario{{Label: "s"}, {Label: "t"}},
		Cells:     []Cell{{ID: "c00"}, {ID: "c02", Parameters: []Value{{Name: "n", Value: "2_000"}}}},
	}
	if c.Scenario("t") != &c.Scenarios[1] || c.Scenario("u") != nil ||
		c.Cell("c02") != &c.Cells[1] || c.Cell("c01") != nil {
		t.Error("not what was looked for")
	}
	if got := Each([]int{1, 2}, func(n int) string { return fmt.Sprint(n) }); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("%q", got)
	}
	if Each([]int{}, func(n int) int { return n }) != nil {
		t.Error("of nothing something is made")
	}
	if c.Cells[1].Int("n") != 2000 || c.Cells[1].Int("m") != 0 {
		t.Errorf("%d, %d", c.Cells[1].Int("n"), c.Cells[1].Int("m"))
	}
}

// TestLevelsOfCells: times of a level have their best unit, and a second baseline says that it is one.
func TestLevelsOfCells(t *testing.T) {
	for _, c := range []struct {
		v    Value
		want string
	}{
		{Value{Value: "2_000"}, "2_000"},
		{Value{Value: "1.5", Unit: "ns"}, "1.5"},
		{Value{Value: "1500", Unit: "ns"}, "1.5µs"},
		{Value{Value: "1500", Unit: "B"}, "1500"},
	} {
		if got := c.v.Readable(); got != c.want {
			t.Errorf("%+v: %s", c.v, got)
		}
	}
	cell := &Cell{Variant: "v", Factors: []Value{{Name: "a", Value: "1"}, {Name: "b", Value: "1000", Unit: "ns"}}}
	if cell.Label() != "v a=1 b=1µs" || cell.Factor("a") != "1" || cell.Factor("c") != "" {
		t.Errorf("%s", cell.Label())
	}
	cell.Role = RoleAA
	if cell.Label() != "v#aa a=1 b=1µs" || (&Cell{Variant: "v"}).Label() != "v" {
		t.Errorf("%s", cell.Label())
	}
}

// TestProofs: of several agents in one JVM the first that made no records, and should have, is silent.
func TestProofs(t *testing.T) {
	count := func(change func(*ProofPlan)) ProofPlan {
		p := ProofPlan{Kind: ProofCount, Expected: 5}
		if change != nil {
			change(&p)
		}
		return p
	}
	told, silent, uncounted := Proof{Source: "x", ByExit: 5}, Proof{Source: "y"}, Proof{}
	for _, c := range []struct {
		name   string
		plans  []ProofPlan
		proofs []Proof
		want   int // index; -1: none
	}{
		{"all told", []ProofPlan{count(nil), count(nil)}, []Proof{told, told}, -1},
		{"the second is silent", []ProofPlan{count(nil), count(nil)}, []Proof{told, silent}, 1},
		{"both are", []ProofPlan{count(nil), count(nil)}, []Proof{silent, silent}, 0},
		{"nobody counted", []ProofPlan{count(nil)}, []Proof{uncounted}, -1},
		{"one more than planned", []ProofPlan{count(nil)}, []Proof{told, silent}, -1},
		{"another proof", []ProofPlan{count(func(p *ProofPlan) { p.Kind = ProofZero })}, []Proof{silent}, -1},
		{"optional", []ProofPlan{count(func(p *ProofPlan) { p.Optional = true })}, []Proof{silent}, -1},
		{"a fault", []ProofPlan{count(func(p *ProofPlan) { p.Fault = "slow" })}, []Proof{silent}, -1},
	} {
		cell := &Cell{Proof: c.plans[0], Beside: c.plans[1:]}
		inv := &Invocation{Proof: c.proofs[0], Beside: c.proofs[1:]}
		plans, proofs := cell.Proofs(), inv.Proofs()
		if len(plans) != len(c.plans) || plans[0] != &cell.Proof ||
			len(proofs) != len(c.proofs) || proofs[0] != &inv.Proof {
			t.Fatalf("%s: %d plans, %d proofs", c.name, len(plans), len(proofs))
		}
		got := -1
		if p := inv.Silent(cell); p != nil {
			got = slices.Index(proofs, p)
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		last := len(c.proofs) - 1
		if inv.ProofOf(last) != c.proofs[last] || inv.ProofOf(last+1) != (Proof{}) {
			t.Errorf("%s: %+v, %+v", c.name, inv.ProofOf(last), inv.ProofOf(last+1))
		}
	}
}

// TestPrinted: a line that was not printed is known not to be, unless lines were left out.
func TestPrinted(t *testing.T) {
	o := &Output{Said: []Said{{Line: "a", Times: 3}, {Line: "b", Times: 1}}}
	for _, c := range []struct {
		line  string
		more  bool
		times int64
		known bool
	}{{"a", false, 3, true}, {"b", true, 1, true}, {"c", false, 0, true}, {"c", true, 0, false}} {
		o.More = c.more
		if times, known := o.Printed(c.line); times != c.times || known != c.known {
			t.Errorf("%+v: %d, %t", c, times, known)
		}
	}
	for want, f := range map[string]*Failure{
		"so":            {Message: "so"},
		"cause, at a.B": {Message: "so", Cause: "cause\n\tat a.B"},
	} {
		if got := f.Line(); got != want {
			t.Errorf("%+v: %q", f, got)
		}
	}
}

// TestHistoryKeys: in a pool the machines of a model are one; without a pool a machine stands for itself.
func TestHistoryKeys(t *testing.T) {
	for _, c := range []struct{ key, want HistoryKey }{
		{HistoryKey{Machine: "m"}, HistoryKey{Machine: "m"}},
		{HistoryKey{Machine: "m", CPU: "x"}, HistoryKey{Machine: "m"}},
		{HistoryKey{Machine: "m", Pool: "p"}, HistoryKey{Machine: "m"}},
		{
			HistoryKey{Machine: "m", Pool: "p", CPU: "x"},
			HistoryKey{Machine: "x of the pool p", Pool: "p", CPU: "x"},
		},
	} {
		if got := c.key.Series(); got != c.want {
			t.Errorf("%+v: %+v", c.key, got)
		}
	}
	if got := (HistoryKey{Scenario: "s", Metric: "m", Cell: "c"}).String(); got != "s/m/c" {
		t.Errorf("%s", got)
	}
}

// TestColumnsOfSeries: series that are read row by row have these columns.
func TestColumnsOfSeries(t *testing.T) {
	for _, c := range []struct {
		columns []Column
		want    string
	}{
		{SecondsColumns(), "since ns duration, p99 ns duration, held 1 count"},
		{ProcessColumns(), "since ns count, rss B count, cpu ns count, threads 1 count, written B count"},
		{ToggleColumns(), "since ns duration, took ns duration, on 1 count"},
		{
			TimelineColumns(), "since ns duration, requests 1 count, lost 1 count, " +
				"p50 ns duration, p99 ns duration, max ns duration",
		},
		{
			RequestColumns(), "intended ns instant, latency ns duration, service ns duration, lag ns duration, " +
				"outcome 1 id, request 1 id",
		},
	} {
		got := strings.Join(Each(c.columns, func(c Column) string {
			return fmt.Sprint(c.Name, " ", c.Unit, " ", c.Kind)
		}), ", ")
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if got := RequestColumns()[4].Dict; !slices.Equal(got, Outcomes) {
		t.Errorf("outcomes %q", got)
	}
	groups := Each(ThreadGroups(), ThreadGroup.Metric)
	want := []string{
		"cpu_of_application", "cpu_of_agent", "cpu_of_compiler", "cpu_of_collector", "cpu_of_jvm", "cpu_of_ended",
	}
	if !slices.Equal(groups, want) {
		t.Errorf("%q", groups)
	}
	steps := strings.Join(Each(Steps(), func(s Step) string { return s.Name + " " + s.Part }), ", ")
	if steps != "enabled I, check I, switch I, list I, collect C, write W" {
		t.Errorf("%s", steps)
	}
}

// TestLimits: a gate has the limit on its metric first, then the others.
func TestLimits(t *testing.T) {
	g := &Gate{Metric: "m", WorseBy: 0.03, Also: []GateLimit{{Metric: "n", WorseBy: 0.1}}}
	if got := g.Limits(); !slices.Equal(got, []GateLimit{{Metric: "m", WorseBy: 0.03}, {Metric: "n", WorseBy: 0.1}}) {
		t.Errorf("%+v", got)
	}
}

// TestSpeedsHoldFor: what is known of a CPU's speed holds for one model, JDK build and reference; of mixed
// cores nothing does.
func TestSpeedsHoldFor(t *testing.T) {
	machine := &Machine{CPU: "x", Stepping: "1", Core: "performance"}
	c := &Campaign{Versions: map[string]string{VersionReference: "3"}}
	here := Influence{
		Cell: "c", Subject: "d", CPU: "x", Stepping: "1", Core: "performance", Runtime: "17", Reference: "3",
	}
	for name, x := range map[string]struct {
		change func(*Influence)
		want   int
	}{
		"it holds":          {func(*Influence) {}, 1},
		"another cell":      {func(i *Influence) { i.Cell = "e" }, 0},
		"another subject":   {func(i *Influence) { i.Subject = "e" }, 1},
		"another CPU":       {func(i *Influence) { i.CPU = "y" }, 0},
		"no stepping":       {func(i *Influence) { i.Stepping = "" }, 0},
		"another core":      {func(i *Influence) { i.Core = "efficiency" }, 0},
		"another JDK":       {func(i *Influence) { i.Runtime = "21" }, 0},
		"another reference": {func(i *Influence) { i.Reference = "4" }, 0},
	} {
		one := here
		x.change(&one)
		c.Influences = []Influence{one}
		if got := c.InfluencesOn("c", machine, "17"); len(got) != x.want || len(c.Influences) != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	c.Influences = []Influence{here}
	mixed := *machine
	mixed.Core = MixedCores
	if c.InfluencesOn("c", &mixed, "17") != nil || !here.HoldsFor(here) {
		t.Error("of mixed cores something is known")
	}
	if other := here; !here.HoldsFor(other) {
		t.Error("an influence does not hold for itself")
	}
	all := Standard{CPU: "x", Stepping: "1", Core: "performance", Runtime: "17", Reference: "3"}
	for name, x := range map[string]struct {
		s    Standard
		want bool
	}{
		"for any":           {Standard{}, true},
		"for all of it":     {all, true},
		"another CPU":       {Standard{CPU: "y"}, false},
		"another stepping":  {Standard{Stepping: "2"}, false},
		"another core":      {Standard{Core: "efficiency"}, false},
		"another JDK":       {Standard{Runtime: "21"}, false},
		"another reference": {Standard{Reference: "4"}, false},
	} {
		c.Standards = []Standard{x.s}
		if got := c.StandardOf(machine, "17"); (got != nil) != x.want || got != nil && got != &c.Standards[0] {
			t.Errorf("%s: %+v", name, got)
		}
		if c.StandardOf(nil, "17") != nil || c.StandardOf(&mixed, "17") != nil {
			t.Errorf("%s: of no machine, or of mixed cores", name)
		}
	}
	if got := machine.Model().String(); got != "x 1 performance" {
		t.Errorf("%s", got)
	}
	if got := (&Machine{Core: "efficiency"}).Model().String(); got != "efficiency" {
		t.Errorf("%s", got)
	}
	for ns, want := range map[float64]bool{
		99.9: false, leastStandard: true, mostStandard: true, 1e6 + 1: false, math.NaN(): false, -1: false,
	} {
		if err := CheckStandard(ns); (err == nil) != want {
			t.Errorf("%v: %v", ns, err)
		}
	}
}

// TestFamilies: questions share a level by their family, else by their ID without its level.
func TestFamilies(t *testing.T) {
	c := &Campaign{Scenarios: []Scenario{
		{Questions: []Question{{ID: "q@d=1"}, {ID: "q@d=2"}, {ID: "r", Family: "f"}}},
		{Questions: []Question{{ID: "s", Family: "f"}, {ID: "q"}}},
	}}
	for _, x := range []struct {
		q    Question
		name string
		size int
	}{
		{Question{ID: "q@d=1"}, "q", 3},
		{Question{ID: "r", Family: "f"}, "f", 2},
		{Question{ID: "s"}, "s", 1},
		{Question{ID: "q", Family: "none"}, "none", 1},
	} {
		if name, size := c.FamilyOf(x.q); name != x.name || size != x.size {
			t.Errorf("%+v: %s of %d", x.q, name, size)
		}
	}
}

// TestCalls: a cell makes the calls of its group, as the pilot decided.
func TestCalls(t *testing.T) {
	z := &Settling{Decision: &SettlingDecision{Groups: []SettledGroup{
		{Calls: 10, Cells: []SettledCell{{Cell: "a"}, {Cell: "b"}}}, {Calls: 20, Cells: []SettledCell{{Cell: "c"}}},
	}}}
	for cell, want := range map[string]int64{"a": 10, "b": 10, "c": 20, "d": 0} {
		if got := z.Calls(cell); got != want {
			t.Errorf("%s: %d", cell, got)
		}
	}
	if (*Settling)(nil).Calls("a") != 0 || (&Settling{}).Calls("a") != 0 {
		t.Error("calls without a decision")
	}
}

// TestPlans: a plan is read as it was written; what is none, or lacks its parts, is refused.
func TestPlans(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "plan.json")
	made := func() *Planned {
		return &Planned{
			Moobench: "1", TOML: "name = \"x\"\n", Origin: "b/benchmarks.toml",
			Campaign: &Campaign{Name: "x", PlanHash: "h", Blocks: []Block{{Number: 1, Order: []string{"c"}}}},
		}
	}
	p := made()
	if err := p.Write(path); err != nil || p.Format != Format {
		t.Fatal(p.Format, err)
	}
	got, err := ReadPlan(path)
	if err != nil {
		t.Fatal(err)
	}
	p.Origin = filepath.Join(dir, p.Origin)
	if d := cmp.Diff(p, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	p.Origin = "/abs/benchmarks.toml"
	if err := p.Write(path); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadPlan(path); err != nil || got.Origin != p.Origin || !IsPlan(path) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, change := range map[string]func(*Planned){
		"no text":       func(p *Planned) { p.TOML = "" },
		"no blocks":     func(p *Planned) { p.Campaign.Blocks = nil },
		"no hash":       func(p *Planned) { p.Campaign.PlanHash = "" },
		"a wrong speed": func(p *Planned) { p.Campaign.Standards = []Standard{{NS: 1}} },
	} {
		p := made()
		change(p)
		if err := p.Write(path); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadPlan(path); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if _, err := ReadPlan(filepath.Join(dir, "none")); err == nil || IsPlan(filepath.Join(dir, "none")) {
		t.Errorf("no file: %v", err)
	}
	for text, want := range map[string]bool{" {}\n": true, "{": false, "[]": false, "a = 1": false, "": false} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if IsPlan(path) != want {
			t.Errorf("%q is a plan: %t", text, !want)
		}
	}
}

// TestReadWholeDump: a dump is read as it was written; columns of other lengths are not.
func TestReadWholeDump(t *testing.T) {
	s := Series{Name: "s", Thread: 1, Batch: 2, Columns: []Column{
		{Name: "a", Unit: "ns", Kind: KindDuration}, {Name: "b", Unit: "1", Kind: KindCount},
	}}
	path := filepath.Join(t.TempDir(), "dump")
	want := [][]int64{{1, 2, 3}, {-4, math.MaxInt64, math.MinInt64}}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteDump(f, s, want...); err != nil {
		t.Fatal(err)
	}
	f.Close()
	s.Count = 3
	got, err := ReadDump(path, s)
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	for name, columns := range map[string][][]int64{
		"one column": {{1}}, "none": nil, "three": {{1}, {2}, {3}}, "of other lengths": {{1, 2}, {3}},
	} {
		if err := WriteDump(&strings.Builder{}, s, columns...); err == nil {
			t.Errorf("%s: written", name)
		}
	}
	s.Thread = 2
	if _, err := ReadDump(path, s); err == nil {
		t.Error("another thread's dump is read")
	}
}

// TestWholeCampaign: the files of a sealed campaign are listed, hashed and found to be as they were.
func TestWholeCampaign(t *testing.T) {
	s, inv := sealedStore(t)
	dir := s.Dir()
	files, err := s.Files()
	folder := "invocations/" + inv.Identity.String() + "/"
	if err != nil || files[0] != "SEALED" || !slices.IsSorted(files[1:]) || !slices.Contains(files, "campaign.json") ||
		!slices.Contains(files, folder+"invocation.json") || !slices.Contains(files, folder+"samples.parquet") {
		t.Errorf("%q, %v", files, err)
	}
	digest, err := s.SealDigest()
	if err != nil || len(digest) != 64 {
		t.Errorf("%s, %v", digest, err)
	}
	if changes := s.Changes(t.Context()); len(changes) != 0 {
		t.Errorf("%v", changes)
	}
	if !HasCampaign(dir) || HasCampaign(t.TempDir()) || s.Name() != filepath.Base(dir) || Unvouched(dir) {
		t.Errorf("%s has no campaign, or nobody vouches for it", s.Name())
	}
	data := read(t, filepath.Join(dir, "campaign.json"))
	c, err := DecodeCampaign("x", data)
	if d := cmp.Diff(s.Campaign(), c); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if _, err := DecodeCampaign("x", []byte(`{"format": 2, "standards": [{"ns": 1}]}`)); err == nil {
		t.Error("a campaign with a wrong speed is read")
	}
	kept, err := s.Events(inv)
	if err != nil || len(kept) != 0 {
		t.Errorf("%q, %v", kept, err)
	}
	// What was added, what was changed, and what is gone, is told of an invocation and of the campaign.
	path := func(name string) string { return filepath.Join(dir, "invocations", inv.Identity.String(), name) }
	if err := os.WriteFile(path("more.log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path("samples.parquet")); err != nil {
		t.Fatal(err)
	}
	told := fmt.Sprint(s.Changes(t.Context()))
	if !strings.Contains(told, "it was added later") || !strings.Contains(told, "it is gone") {
		t.Errorf("%s", told)
	}
	if err := os.Remove(filepath.Join(dir, "SEALED")); err != nil {
		t.Fatal(err)
	}
	changes := s.Changes(t.Context())
	if len(changes) != 1 || !strings.Contains(changes[0].Error(), "it is not sealed") {
		t.Errorf("%v", changes)
	}
	if _, err := s.Files(); err == nil {
		t.Error("files of what is not sealed")
	}
	if err := os.RemoveAll(filepath.Join(dir, measuredFile)); err != nil {
		t.Fatal(err)
	}
	if !Unvouched(dir) || Unvouched(t.TempDir()) {
		t.Error("nobody vouches for it")
	}
}

// TestSamplesOfMetrics: a sample is a call, a change or a request, by its series.
func TestSamplesOfMetrics(t *testing.T) {
	for _, c := range []struct {
		m      Metric
		sample Sample
	}{
		{Metric{}, SampleNone},
		{Metric{Once: true}, SampleNone},
		{Metric{Series: SeriesRequest, Once: true}, SampleRequest},
		{Metric{Series: "x", Once: true}, SampleChange},
		{Metric{Series: "x"}, SampleCall},
	} {
		if got := c.m.Sample(); got != c.sample {
			t.Errorf("%+v: %q", c.m, got)
		}
	}
}

// TestSecretsOfALaunch: values that look secret are cut out of what is stored, wherever they stand.
func TestSecretsOfALaunch(t *testing.T) {
	l := Launch{
		Run: []string{"a"}, JVMArgs: []string{"-Dpassword=abc", "-Xmx1g"}, Env: []string{"API_TOKEN=abc", "A=1"},
		Prepare: []string{"--password=abc"}, Attach: "a.jar=password=abc",
	}
	got := fmt.Sprint(l.WithoutSecrets())
	if strings.Contains(got, "abc") || !strings.Contains(got, "-Xmx1g") || !strings.Contains(got, "A=1") {
		t.Errorf("%s", got)
	}
	if !strings.Contains(fmt.Sprint(l), "API_TOKEN=abc") {
		t.Error("the launch itself is changed")
	}
}

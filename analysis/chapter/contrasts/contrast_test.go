package contrasts_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// passing is a cell by what an execution passes through there.
type passing struct{ mode, stage, path, body string }

// Cells of the catalogue, as it says what they pass through.
var (
	manualInactive   = passing{"manual", "inactive", "enabled check list", "api"}
	manualCollect    = passing{"manual", "collect", "enabled check collect", "api"}
	manualTCP        = passing{"manual", "tcp", "enabled check collect write", "api"}
	adaptiveInactive = passing{"adaptive", "inactive", "enabled check list", "api"}
	adaptiveCollect  = passing{"adaptive", "collect", "enabled check list collect", "api"}
	adaptiveTCP      = passing{"adaptive", "tcp", "enabled check list collect write", "api"}
	hotswapDisabled  = passing{"hotswap", "disabled", "enabled", "api"}
	hotswapCollect   = passing{"hotswap", "collect", "enabled collect", "api"}
	hotswapText      = passing{"hotswap", "text", "enabled collect write", "api"}
)

// passed is a campaign with a cell for each, without noise; a call costs 50 ns in
// all of them but none.
func passed(cells []passing, sds ...float64) *testcampaign.Flat {
	if sds == nil {
		sds = make([]float64, len(cells))
	}
	f := testcampaign.Piloted(rand.New(rand.NewPCG(1, 1)), 10, results.Sizing{}, sds...)
	f.Made.Scenarios[0].Sizing = nil
	for i, k := range cells {
		c := &f.Made.Cells[i+1]
		c.Framework, c.Mode, c.Stage, c.Body, c.Path = "kieker", k.mode, k.stage, k.body, strings.Fields(k.path)
		c.Variant = "kieker/" + k.mode + "/" + k.stage
	}
	return f
}

// A part is the difference of two cells that differ in exactly that, and no other
// difference is given its name.
func TestContrasts(t *testing.T) {
	for name, c := range map[string]struct {
		cells []passing
		want  []string // A = name: steps - B
	}{
		"adaptive monitoring on in all stages": {
			[]passing{adaptiveInactive, adaptiveCollect, adaptiveTCP},
			[]string{"adaptive/inactive = I: enabled check list - none", "adaptive/collect = C: collect - adaptive/inactive", "adaptive/tcp = W: write - adaptive/collect"},
		},
		"Kieker's inactive asks a list that its collect does not ask": {
			[]passing{manualInactive, manualCollect, manualTCP},
			[]string{"manual/inactive = I: enabled check list - none", "manual/collect = I+C: enabled check collect - none", "manual/tcp = W: write - manual/collect"},
		},
		"one body behind two doors": {
			[]passing{adaptiveInactive, hotswapCollect, adaptiveCollect},
			[]string{
				"adaptive/inactive = I: enabled check list - none", "hotswap/collect = I+C: enabled collect - none",
				"adaptive/collect = C: collect - adaptive/inactive", "adaptive/collect = I: check list - hotswap/collect",
			},
		},
		"without inactive, collecting is not C": {[]passing{adaptiveCollect}, []string{"adaptive/collect = I+C: enabled check list collect - none"}},
		"the nearest of several": {
			[]passing{hotswapDisabled, hotswapCollect},
			[]string{"hotswap/disabled = I: enabled - none", "hotswap/collect = C: collect - hotswap/disabled"},
		},
		"outputs of other stages are other steps": {
			[]passing{adaptiveTCP, hotswapText},
			[]string{"adaptive/tcp = I+C+W: enabled check list collect write - none", "hotswap/text = I+C+W: enabled collect write - none"},
		},
		"another body is another step": {
			[]passing{{"bci", "collect", "collect", "bci"}, {"manual", "collect", "check collect", "manual"}},
			[]string{"bci/collect = C: collect - none", "manual/collect = I+C: check collect - none"},
		},
		"what is not known has no parts":   {[]passing{{"bci", "inactive", "", ""}, {"bci", "collect", "", ""}}, nil},
		"steps of a newer version, either": {[]passing{{"bci", "collect", "enchant collect", "bci"}}, nil},
	} {
		f := passed(c.cells)
		a, err := analysis.Analyse(f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range a.Scenarios[0].Contrasts {
			b := strings.TrimPrefix(f.Made.Cell(k.B).Variant, "kieker/")
			got = append(got, k.Mode+"/"+k.Stage+" = "+k.Name+": "+strings.Join(k.Steps, " ")+" - "+b)
			if want := map[bool]float64{true: testcampaign.PilotedCost, false: 0}[b == "none"]; k.Estimate == nil || math.Abs(k.Estimate.Value-want) > 1e-9 {
				t.Errorf("%s: %+v costs %v, want %v", name, k, k.Estimate, want)
			}
			if k.About == "" || strings.Contains(k.About, "nothing here") {
				t.Errorf("%s: %s: %q", name, k.Name, k.About)
			}
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// What nothing isolates is said once for a framework, not at each figure.
func TestPartsThatNothingIsolates(t *testing.T) {
	for name, c := range map[string]struct {
		cells []passing
		want  string
	}{
		"all are isolated":      {[]passing{adaptiveInactive, adaptiveCollect, adaptiveTCP}, ""},
		"C of Kieker by hand":   {[]passing{manualInactive, manualCollect, manualTCP}, "kieker: nothing here isolates C"},
		"C is, in another mode": {[]passing{manualInactive, manualCollect, adaptiveInactive, adaptiveCollect}, ""},
		"neither I nor C":       {[]passing{manualCollect, manualTCP}, "kieker: nothing here isolates I or C"},
		"in no mode":            {[]passing{adaptiveTCP, hotswapText}, "kieker: nothing here isolates I, C or W"},
		"nothing is known":      {[]passing{{"bci", "collect", "", ""}}, "kieker has no parts: it is not known what its executions pass through"},
		"disabled says nothing": {[]passing{{"bci", "disabled", "", ""}, adaptiveInactive}, ""},
		"of another body it is not": {
			[]passing{{"bci", "collect", "check collect", "bci"}, adaptiveInactive, adaptiveCollect}, "kieker/bci: nothing here isolates I or C",
		},
	} {
		a, err := analysis.Analyse(passed(c.cells))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(a.Scenarios[0].Unisolated, "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Two routes to one part are set side by side: here I costs 22 ns directly and
// 342 ns as a difference, which is what two bodies behind one name look like.
func TestClosure(t *testing.T) {
	cells := []passing{adaptiveInactive, hotswapCollect, adaptiveCollect}
	for name, c := range map[string]struct {
		costs []float64 // of the cells, ns
		sd    float64
		says  string
		not   bool // the routes disagree
	}{
		"they disagree": {[]float64{22, 100, 442}, 0.5, "two routes to I disagree by -320", true},
		"they agree":    {[]float64{22, 100, 122}, 0.5, "two routes to I can't be told apart", false},
	} {
		f := passed(cells, c.sd, c.sd, c.sd)
		for i, ns := range c.costs {
			f.Costing(string(rune('a'+i)), ns)
		}
		a, err := analysis.Analyse(f)
		if err != nil {
			t.Fatal(err)
		}
		found := a.Scenarios[0].Closures
		if len(found) != 1 { // C by two routes is the same combination of the same cells
			t.Fatalf("%s: %d closures: %+v", name, len(found), found)
		}
		k := found[0]
		if k.Disagree != c.not || !strings.HasPrefix(strings.ReplaceAll(k.Text, "−", "-"), c.says) || !strings.Contains(k.Text, "enabled") {
			t.Errorf("%s: %v %q, want %v %q", name, k.Disagree, k.Text, c.not, c.says)
		}
		if want := k.First.Estimate.Value - k.Second.Estimate.Value; math.Abs(k.Difference.Value-want) > 1e-9 {
			t.Errorf("%s: %v of %v and %v", name, k.Difference.Value, k.First.Estimate, k.Second.Estimate)
		}
	}
}

// TestClosureOfOneTruth: where both routes have the same truth, one in twenty
// scenarios says that any of its routes disagree, and the intervals are those of
// the four cells' combination in each block.
func TestClosureOfOneTruth(t *testing.T) {
	const n = 1000
	var wrong int
	for seed := range uint64(n) {
		f := passed([]passing{adaptiveInactive, hotswapCollect, adaptiveCollect}, 0, 0, 0)
		rng := rand.New(rand.NewPCG(seed, 77))
		for _, inv := range f.All {
			inv.Scalars["x"] += 3 * rng.NormFloat64()
		}
		f.Costing("a", 22)
		f.Costing("b", 100)
		f.Costing("c", 122)
		a, err := analysis.Analyse(f)
		if err != nil {
			t.Fatal(err)
		}
		if a.Scenarios[0].Closures[0].Disagree {
			wrong++
		}
	}
	if wrong < n*35/1000 || wrong > n*66/1000 { // 5 %, ± 2.3 standard errors
		t.Errorf("%d of %d say that they disagree", wrong, n)
	}
}

// A campaign that is older than paths has the parts that the launch of our own
// fixtures tells, in each mode by itself: Kieker's probe had a body in each.
func TestOlderCampaignsHaveParts(t *testing.T) {
	f := passed([]passing{adaptiveInactive, adaptiveCollect, hotswapCollect})
	writer := "-Dkieker.monitoring.writer=moobench.bridge.kieker.CountingWriter"
	for i := 1; i < 4; i++ {
		c := &f.Made.Cells[i]
		c.Path, c.Body = nil, ""
		c.Launch.Target = "moobench.bridge.kieker.Manual"
		c.Launch.JVMArgs = []string{writer, "-Dkieker.monitoring.adaptiveMonitoring.enabled=true"}
	}
	f.Made.Cells[1].Proof.Kind = results.ProofZero
	f.Made.Cells[3].Launch = results.Launch{JVMArgs: []string{writer, "-Dmoobench.hotswap.probe=kieker"}, Activate: "+ {signature}"}
	a, err := analysis.Analyse(f)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range a.Scenarios[0].Contrasts {
		names = append(names, c.Mode+" "+c.Name)
	}
	if got, want := strings.Join(names, ", "), "adaptive I, adaptive C, hotswap I+C"; got != want || len(a.Scenarios[0].Closures) > 0 {
		t.Errorf("%s, want %s; %d closures", got, want, len(a.Scenarios[0].Closures))
	}
}

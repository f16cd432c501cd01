package doctor

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/analysis/report"
	"moobench/harness/machine/cpu"
	"moobench/results"
)

// TestShownCalibration: what stands in a calibration, with and without a result, a resolution and the time for which
// there was no CPU.
func TestShownCalibration(t *testing.T) {
	known := &results.Calibration{
		KnownNS: 2000, LowNS: 1990, MeasuredNS: 2001, HighNS: 2012, Level: 0.99, Blocks: 5, Runtime: "21",
		Recovered: true,
	}
	resolution := &Resolution{
		WithinNS: int64(time.Minute), Blocks: 4, BlockNS: 15e9, NS: 12, Share: 0.012, BaselineNS: 1000,
		Costs: []Cost{{WithinNS: int64(time.Minute), HalfWidths: analysis.HalfWidths{Ran: 0.02}}},
	}
	for name, c := range map[string]struct {
		v    Calibration
		all  []string // parts of it
		none []string
	}{
		"no result": {
			Calibration{AA: "failed", Verdict: "not calibrated: x", Do: "see", Unresolved: "there is no A/A"},
			[]string{
				"calibration of h\n", "A/A", "failed", "not calibrated: x", "→ see",
				"what overhead this machine resolves is not known: there is no A/A",
			},
			[]string{"known  ", "off by", "no CPU", "it stands in the reports"},
		},
		"a result": {
			Calibration{Calibration: known, AA: "resolves 1 %"},
			[]string{
				"calibration of h · 5 blocks · JDK 21\n", "measured", "off by", "A/A", "resolves 1 %",
				"recovered: the known cost lies in the interval\n", "moobench report f",
			},
			[]string{"no CPU", "→", "80 % power"},
		},
		"all": {
			Calibration{
				Calibration: known, DetectableShare: new(0.03), WaitedShare: new(0.25), Resolution: resolution,
			},
			[]string{
				"no CPU", "25 % of the time: other programs",
				"were costs wrong by 3.0 % here, this would have shown with 80 %", "4 blocks of 15 s",
				"in 1 min this machine resolves an overhead of about 12 ns a call", "is known to ± 2.0 %",
			},
			[]string{"is not known"},
		},
	} {
		c.v.Host, c.v.Folder = "h", "f"
		if c.v.Calibration != nil {
			c.v.judge()
		}
		var out bytes.Buffer
		if err := c.v.Write(&out, "text", report.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, part := range c.all {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%s: no %q in\n%s", name, part, out.String())
			}
		}
		for _, part := range c.none {
			if strings.Contains(out.String(), part) {
				t.Errorf("%s: %q in\n%s", name, part, out.String())
			}
		}
	}
}

// TestSeveralInfluences: rows name their scenario and their JDK where there are several of either.
func TestSeveralInfluences(t *testing.T) {
	of := func(scenario, runtime string) Influence {
		i := influenceOf("a/b/c", 0.03, 0.001, 10)
		i.Scenario, i.Runtime = scenario, runtime
		return i
	}
	for name, c := range map[string]struct {
		found []Influence
		names bool
	}{
		"one":           {[]Influence{of("s", "17")}, false},
		"equal ones":    {[]Influence{of("s", "17"), of("s", "17")}, false},
		"two scenarios": {[]Influence{of("s", "17"), of("t", "17")}, true},
		"two JDKs":      {[]Influence{of("s", "17"), of("s", "21")}, true},
		"back again":    {[]Influence{of("s", "17"), of("s", "21"), of("s", "17")}, true},
	} {
		var out bytes.Buffer
		v := JudgeInfluences(results.Machine{Host: "h"}, "x.toml", c.found)
		if err := v.Write(&out, "text", report.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "s: a/b/c, JDK 17"); got != c.names {
			t.Errorf("%s: named: %t\n%s", name, got, out.String())
		}
	}
}

// TestInfluenceOfNothing: a reference that takes as long as ever is not called less long, and two equal programs whose
// interval ends at 0 do not differ.
func TestInfluenceOfNothing(t *testing.T) {
	for longer, want := range map[float64]string{
		0: " longer beside it", -0.01: "1.00 % less long beside it", 0.01: "1.00 % longer",
	} {
		i := Influence{Longer: new(longer), Low: new(0.0), High: new(0.0), Room: new(0.0)}
		if got := i.text(); !strings.Contains(got, want) {
			t.Errorf("%v: %s, want %s", longer, got, want)
		}
	}
	exact := influenceOf("none#aa", 0, 0, 10)
	if v := JudgeInfluences(results.Machine{}, "x.toml", []Influence{exact}); len(v.differ) > 0 {
		t.Errorf("%s", v.Verdict)
	}
}

// TestSharedCPUs: of CPUs that serve both it is told what that means, and what to do.
func TestSharedCPUs(t *testing.T) {
	e := &examination{placement: cpu.Placement{Shared: true, Fixture: cpu.Set{0}, Remark: "one"}}
	f := e.cpus()
	if f.State != note || !strings.HasSuffix(f.Text, "; one") || f.Do != "four CPUs or more keep them apart" {
		t.Errorf("%+v", f)
	}
}

package plan

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

func TestControl(t *testing.T) {
	for _, c := range []struct {
		machine string
		want    *results.Control
	}{
		{"", nil},
		{"[machine]", nil},
		{"[machine]\nprofile = \"as-is\"", nil},
		{"[machine]\nprofile = \"fixed-hardware\"", &results.Control{Profile: results.ProfileFixedHardware, QuietNS: int64(2 * time.Minute), Repeat: true}},
		{"[machine]\nprofile = \"fixed-hardware\"\nwait_until_quiet = \"0s\"", &results.Control{Profile: results.ProfileFixedHardware, Repeat: true}},
		{"[machine]\npool = \"ci\"", &results.Control{Profile: results.ProfileAsIs, Pool: "ci"}},
		{"[machine]\nhost = \"bench-01\"\nwait_until_quiet = \"5s\"", &results.Control{Profile: results.ProfileAsIs, QuietNS: 5e9}},
		{"[machine]\nturbo = \"off\"\nmicrocode = { policy = \"observe\" }", &results.Control{Profile: results.ProfileAsIs, Wishes: []results.KnobState{
			{Name: "microcode", Policy: results.PolicyObserve},
			{Name: "turbo", Wanted: "off", Policy: results.PolicyTry},
		}}},
	} {
		p := mustRead(t, "name = \"x\"\n"+c.machine+"\n"+`[[scenario]]
use = "overhead"
variants = ["none"]
`+"[jvm]\nhome = \"/opt/x\"\n")
		if diff := cmp.Diff(c.want, p.Campaign.Control); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", c.machine, diff)
		}
	}
}

func TestCellsKnowTheirJDK(t *testing.T) {
	p := mustRead(t, `name = "jdks"
[jvm]
homes = ["/opt/17.0.15+6", "/opt/25.0.1"]
[[scenario]]
use = "overhead"
variants = ["none"]
[[scenario]]
use = "sleep"
variants = ["none"]
command = "sleep 1"
`)
	homes := map[string]int{}
	for _, c := range p.Cells {
		homes[c.JDK.Home]++
		if c.Factor(results.FactorJDK) != c.JDK.Version {
			t.Errorf("%s runs on %+v", c.Label(), c.JDK)
		}
	}
	if diff := cmp.Diff(map[string]int{"/opt/17.0.15+6": 2, "/opt/25.0.1": 2, "": 2}, homes); diff != "" {
		t.Errorf("cells by JDK (-want +got):\n%s", diff)
	}
}

func TestJDKIs(t *testing.T) {
	for _, c := range []struct {
		version string
		major   int
		text    string
		want    bool
	}{
		{"17.0.15+6", 17, "17", true},
		{"17.0.15+6", 17, "17.0.15", true},
		{"17.0.15+6", 17, "17.0.15+6", true},
		{"17.0.15+6", 17, "17.0.1", false},
		{"17.0.15+6", 17, "1", false},
		{"17.0.15+6", 17, "", false},
		{"25+36", 25, "25", true},
		{"25+36", 25, "25.0", false},
		{"1.8.0_412-b08", 8, "8", true},
		{"1.8.0_412-b08", 8, "1.8", true},
	} {
		if got := (JDK{Version: c.version, Major: c.major}).matches(c.text); got != c.want {
			t.Errorf("%s is %q: %v, want %v", c.version, c.text, got, c.want)
		}
	}
}

// How often a subject is looked at is a parameter of any scenario's cells, and of none that doesn't say so.
func TestCourseIsAParameter(t *testing.T) {
	p := mustRead(t, `name = "x"
[jvm]
home = "/opt/x"
[[scenario]]
use = "overhead"
variants = ["none"]
course_every = "100ms"
[[scenario]]
use = "sleep"
variants = ["none"]
command = "sleep 1"
course_every = "10s"
[[scenario]]
use = "overhead"
label = "never"
variants = ["none"]
`)
	got := map[string]int64{}
	for _, c := range p.Cells {
		if c.Factor(results.CourseEvery) != "" {
			t.Errorf("%s has it as a factor", c.Label())
		}
		got[c.Scenario] = c.Int(results.CourseEvery)
	}
	if diff := cmp.Diff(map[string]int64{"overhead": 100e6, "sleep": 10e9, "never": 0}, got); diff != "" {
		t.Errorf("ns by scenario (-want +got):\n%s", diff)
	}
	for _, value := range []string{`"99ms"`, `["1s", "2s"]`, `10`} {
		if _, err := read("name = \"x\"\n[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\ncourse_every = " + value + "\n"); err == nil {
			t.Errorf("%s is taken", value)
		}
	}
}

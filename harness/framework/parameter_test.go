package framework

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const withParameters = `
[framework.mine]
agent      = "agent.jar"
parameters = { queue = "2048", rate = "1{0}" }
args       = ["-Dqueue={queue}", "-Dclass={class}"]
proof      = { count = "otlp", per_call = "depth" }
[framework.mine.stage.plain]
[framework.mine.stage.fast]
parameters = { queue = "100" }
args       = ["-Drate={rate}"]
env        = { RATE = "{rate}" }
files      = { "my.conf" = "rate {rate}" }
`

func TestParameters(t *testing.T) {
	s, err := with(t, &Set{}, withParameters, "/d")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Variant{
		"mine/bci/plain":            {Args: []string{"-Dqueue=2048", "-Dclass={class}"}, Queue: 2048, Parameters: []string{"queue"}},
		"mine/bci/plain:queue=8192": {Args: []string{"-Dqueue=8192", "-Dclass={class}"}, Queue: 8192, Parameters: []string{"queue"}},
		"mine/bci/fast": {
			Args: []string{"-Dqueue=100", "-Dclass={class}", "-Drate=1{{0}}"}, Queue: 100, Parameters: []string{"queue", "rate"},
			Env: []string{"RATE=1{{0}}"}, Files: []File{{"my.conf", "rate 1{{0}}"}},
		},
		"mine/bci/fast:rate=0.5,queue=7": {
			Args: []string{"-Dqueue=7", "-Dclass={class}", "-Drate=0.5"}, Queue: 7, Parameters: []string{"queue", "rate"},
			Env: []string{"RATE=0.5"}, Files: []File{{"my.conf", "rate 0.5"}},
		},
	} {
		v, err := s.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		args := slices.DeleteFunc(slices.Clone(v.Args), func(a string) bool { return strings.HasPrefix(a, "-javaagent") })
		got := Variant{Args: args, Queue: v.Queue, Parameters: v.Parameters, Env: v.Env, Files: v.Files}
		if diff := cmp.Diff(want, got); diff != "" || v.Name != name {
			t.Errorf("%s is %s (-want +got):\n%s", name, v.Name, diff)
		}
	}
	for name, want := range map[string]string{
		"mine/bci/plain:rate=2":          `has no parameter "rate" (it has queue)`,
		"mine/bci/plain:queue":           "is not a setting: want NAME=VALUE",
		"mine/bci/plain:queue=1,queue=2": "each name once",
		"mine/bci/plain:queue=many":      "want a number of records",
		"mine/bci/none:queue=1":          "unknown variant",
	} {
		if _, err := s.Variant(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// TestQueue: the length of a framework's own queue is a number of records, of which there may be none.
func TestQueue(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "1": 1, "2048": 2048, "-1": -1, "many": -1, "1.5": -1} {
		s, err := with(t, &Set{}, strings.Replace(withParameters, `"2048"`, `"`+text+`"`, 1), "/d")
		if (err == nil) != (want >= 0) {
			t.Errorf("%s: %v", text, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), "want a number of records, got ") {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if v, err := s.Variant("mine/bci/plain"); err != nil || v.Queue != want {
			t.Errorf("%s: %d, %v", text, v.Queue, err)
		}
	}
}

// TestSettingsOfAVersion: settings go with a version, and with a fault.
func TestSettingsOfAVersion(t *testing.T) {
	s := catalogue(t)
	v, err := s.Variant("opentelemetry@2.20.0/bci/otlp:queue=8192~hang")
	if err != nil {
		t.Fatal(err)
	}
	if v.Queue != 8192 || v.Version() != "2.20.0" || v.Fault != "hang" || !slices.Contains(v.Args, "-Dotel.bsp.max.queue.size=8192") {
		t.Errorf("%+v", v)
	}
	if want := "opentelemetry@2.20.0/bci/otlp:queue=8192~hang"; v.Name != want {
		t.Errorf("it is called %s, want %s", v.Name, want)
	}
}

// TestSettingsAreTold: what a variant is, and at which stage, says its settings.
func TestSettingsAreTold(t *testing.T) {
	s, err := with(t, &Set{}, withParameters+"[framework.mine.mode.bci]\nabout = \"ours\"\n", "/d")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Variant("mine/bci/fast:rate=0.5,queue=7")
	if err != nil || v.About != "ours, rate=0.5, queue=7" || v.Stage != "fast:rate=0.5,queue=7" {
		t.Errorf("it is %q at stage %q, %v", v.About, v.Stage, err)
	}
}

// TestParametersOfAPath: a parameter may also be in a class path, and in what is swapped and attached.
func TestParametersOfAPath(t *testing.T) {
	const text = `
[framework.mine]
parameters = { part = "api" }
classpath  = ["/lib/{part}.jar"]
attach     = "/late.jar={part}"
activate   = "+ {part}"
deactivate = "- {part}"
proof      = "none"
`
	s, err := with(t, &Set{}, text, "/d")
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]string{"mine": "api", "mine/bci/default:part=spi": "spi"} {
		v, err := s.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(append(slices.Clone(v.ClassPath), v.Attach, v.Activate, v.Deactivate), " ")
		if want := "/lib/" + part + ".jar /late.jar=" + part + " + " + part + " - " + part; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

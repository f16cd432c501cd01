package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

// knobs are like those that there are: words, numbers, and one that can only be
// observed.
func knobs() []Knob {
	among := func(values ...string) func(string) (string, error) {
		return func(v string) (string, error) {
			if v = strings.ToLower(v); slices.Contains(values, v) {
				return v, nil
			}
			return "", fmt.Errorf("%q is none of its values", v)
		}
	}
	return []Knob{
		{Name: "turbo", Values: []string{"on", "off"}, Check: among("on", "off")},
		{Name: "governor", Values: []string{"performance", "powersave"}, Check: among("performance", "powersave")},
		{Name: "swappiness", Values: []string{"10", "60"}, Check: among("10", "60")},
		{Name: "microcode"},
	}
}

// cpuList knows no other lists than 0, 1 and their like.
func cpuList(list string) (string, error) {
	if strings.Trim(list, "0123456789,-") != "" {
		return "", errors.New("no list of CPUs")
	}
	return strings.ReplaceAll(list, "0,1", "0-1"), nil
}

const oneScenario = `
[[scenario]]
use = "overhead"
variants = ["none"]
`

func TestMachine(t *testing.T) {
	minute, none := time.Minute, time.Duration(0)
	for _, c := range []struct {
		toml string
		want Machine
	}{
		{"", Machine{Profile: "as-is"}},
		{"[machine]\nwait_until_quiet = \"0s\"", Machine{Profile: "as-is", WaitUntilQuiet: &none}},
		{
			`[machine]
profile = "fixed-hardware"
host = "bench-01"
pin = { cpus = "2-3", housekeeping = "0,1" }
wait_until_quiet = "1 min"
turbo = "OFF"
swappiness = 10
governor = { set = "performance", policy = "require" }
[machine.microcode]
policy = "observe"`,
			Machine{
				Profile: "fixed-hardware", Host: "bench-01", CPUs: "2-3", Housekeeping: "0-1", PinPolicy: results.PolicyRequire, WaitUntilQuiet: &minute,
				Knobs: []results.KnobState{
					{Name: "governor", Wanted: "performance", Policy: results.PolicyRequire},
					{Name: "microcode", Policy: results.PolicyObserve},
					{Name: "swappiness", Wanted: "10", Policy: results.PolicyTry},
					{Name: "turbo", Wanted: "off", Policy: results.PolicyTry},
				},
			},
		},
		{
			`[machine]
pool = "ubuntu-latest"`,
			Machine{Profile: "as-is", Pool: "ubuntu-latest"},
		},
		{
			`[machine]
pin = { cpus = "1", policy = "try" }
turbo = { set = "on" }
swappiness = { set = "60", policy = "try" }`,
			Machine{Profile: "as-is", CPUs: "1", PinPolicy: results.PolicyTry, Knobs: []results.KnobState{
				{Name: "swappiness", Wanted: "60", Policy: results.PolicyTry},
				{Name: "turbo", Wanted: "on", Policy: results.PolicyTry},
			}},
		},
	} {
		f, err := Parse("b.toml", []byte("name = \"x\"\n"+c.toml+oneScenario), known())
		if err != nil {
			t.Errorf("%s\n%v", c.toml, err)
		} else if diff := cmp.Diff(c.want, f.Machine); diff != "" {
			t.Errorf("%s\n(-want +got):\n%s", c.toml, diff)
		}
	}
}

func TestHomesAndEnvironment(t *testing.T) {
	for _, c := range []struct {
		homes, factors string
		jvm            JVM
		environment    map[string][]string
	}{
		{`home = "/a/"`, "", JVM{Home: "/a/"}, map[string][]string{}},
		{`home = "/a"`, `jvm = ["", " -Xint  -Dq='a b'", '-Dr="c\d\"" -De= ""']`, JVM{Home: "/a"}, map[string][]string{
			"jvm": {"default", "-Xint '-Dq=a b'", `'-Dr=c\d"' -De= ''`},
		}},
		{`homes = ["/a/"]`, "cpus = 2", JVM{Home: "/a"}, map[string][]string{"cpus": {"2"}}},
		{`homes = ["/a", "/b"]`, "frequency = [\"fixed\", \"scaling\"]\njdk = \"17\"", JVM{Homes: []string{"/a", "/b"}}, map[string][]string{"frequency": {"fixed", "scaling"}, "jdk": {"17"}}},
	} {
		f, err := Parse("b.toml", []byte("name = \"x\"\n[jvm]\n"+c.homes+oneScenario+c.factors), known())
		if err != nil {
			t.Errorf("%s: %v", c.homes, err)
			continue
		}
		own := f.Scenarios[0].Parameters
		maps.DeleteFunc(own, func(name string, _ []string) bool {
			return !slices.ContainsFunc(known().Environment, func(p results.Parameter) bool { return p.Name == name })
		})
		if diff := cmp.Diff(c.jvm, f.JVM) + cmp.Diff(c.environment, own); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.homes, diff)
		}
	}
}

func TestStandard(t *testing.T) {
	for text, want := range map[string][]results.Standard{
		"":                      nil,
		`standard = "2373 ns"`:  {{NS: 2373}},
		`standard = "2.3735us"`: {{NS: 2373.5}},
		`standard = { b = "2500ns", "AMD EPYC 7763" = "2373ns" }`: {{NS: 2373, CPU: "AMD EPYC 7763"}, {NS: 2500, CPU: "b"}},
	} {
		f, err := Parse("x.toml", []byte("name = \"x\"\n[machine]\n"+text+"\n[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\n"), known())
		if diff := cmp.Diff(want, f.Machine.Standards); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", text, err, diff)
		}
	}
	for text, want := range map[string]string{
		`standard = 2373`:           "2373 has no unit",
		`standard = "3 ns"`:         "want 100 ns to",
		`standard = { a = "2373" }`: "has no unit",
		`standard = ["2373ns"]`:     "want a time in quotes",
	} {
		_, err := Parse("x.toml", []byte("name = \"x\"\n[machine]\n"+text+"\n[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\n"), known())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int // -1: none
	}{
		{"2-3", "0-1", -1},
		{"2-3", "0-2", 2},
		{"0,4-7", "1-3,6", 6},
		{"", "0", -1},
		{"", "", -1},
	} {
		cpu, found := overlap(c.a, c.b)
		if !found {
			cpu = -1
		}
		if cpu != c.want {
			t.Errorf("overlap(%q, %q) = %d, want %d", c.a, c.b, cpu, c.want)
		}
	}
}

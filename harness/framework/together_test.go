package framework

import (
	"slices"
	"strings"
	"testing"

	"moobench/results"
)

// TestTogether: both agents are loaded in the order in which they are named, and what each of
// them is told, writes and sends keeps a name of its own.
func TestTogether(t *testing.T) {
	s := catalogue(t)
	for _, name := range []string{
		"opentelemetry/bci/otlp + elastic/bci/elastic", "elastic/bci/elastic + opentelemetry/bci/otlp",
		"opentelemetry@2.20.0/auto/otlp + async-profiler/sampling/itimer",
	} {
		v, err := s.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		first, second, _ := strings.Cut(name, " + ")
		a, _ := s.Variant(first)
		b, _ := s.Variant(second)
		recorded := v.Recorded()
		if v.Name != name || len(recorded) != 2 || recorded[0].Name != a.Name || recorded[1].Name != b.Name {
			t.Errorf("%s: %+v", v.Name, recorded)
		}
		if recorded[0].Proof.Source != a.Proof.Source || recorded[1].Proof.Source != b.Proof.Source || recorded[1].Port != "port-2" {
			t.Errorf("%s is proven by %+v", name, recorded)
		}
		if len(v.Artifacts) != 2 || v.Artifacts[0].Name == v.Artifacts[1].Name || len(v.Args) != len(a.Args)+len(b.Args) {
			t.Errorf("%s: %+v, %q", name, v.Artifacts, v.Args)
		}
		agents := results.Each(v.Artifacts, func(a Artifact) int {
			return slices.IndexFunc(v.Args, func(arg string) bool { return strings.HasPrefix(arg, "-javaagent:{jar."+a.Name+"}") })
		})
		if agents[0] < 0 || agents[1] <= agents[0] {
			t.Errorf("%s: agents at %v of %q", name, agents, v.Args)
		}
		if b.Uses("port") != v.Uses("port-2") {
			t.Errorf("%s: ports of %q", name, v.Args)
		}
	}
	for name, want := range map[string]string{
		"opentelemetry/bci/otlp + none":                                   "none is not an agent",
		"opentelemetry/bci/otlp + opentelemetry/bci/otlp":                 "named twice",
		"opentelemetry/manual/otlp + kieker/manual/tcp":                   "called (target)",
		"opentelemetry/bci/otlp + probe/hotswap/collect":                  "into the running JVM",
		"opentelemetry/bci/otlp + nobody":                                 "unknown variant",
		"probe/bci/collect + elastic/bci/elastic + jfr/recording/default": "",
	} {
		_, err := s.Variant(name)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// TestTogetherIsProven: what proves one by its sibling is that beside the same other.
func TestTogetherIsProven(t *testing.T) {
	v, err := catalogue(t).Variant("async-profiler/sampling/itimer + opentelemetry/bci/collect")
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Beside[0].Proof.Sibling; got != "async-profiler/sampling/itimer + opentelemetry/bci/otlp-big" {
		t.Errorf("proven by %q", got)
	}
}

package overhead

import (
	"strings"
	"testing"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/plan"
)

// planned plans a [[scenario]] with these lines, of the catalogue's variants.
func planned(t *testing.T, lines string) (*plan.Plan, error) {
	t.Helper()
	s := Scenario{}
	f, err := config.Parse("benchmarks.toml", []byte("name = \"x\"\n[[scenario]]\nuse = \"overhead\"\n"+lines), config.Known{
		Scenarios:   []plan.Schema{s.Schema()},
		Environment: plan.Environment(),
	})
	if err != nil {
		return nil, err
	}
	set, err := framework.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return plan.New(f, set, []plan.Scenario{s}, nil, 1)
}

func TestWhatCanNotBePlanned(t *testing.T) {
	tests := []struct{ name, lines, want string }{
		{"depth by default", "fixture = \"h2\"\nvariants = [\"none\"]", "benchmarks.toml:2: fixture h2 is an application, one call of which is one unit of its work: it does not call itself to depth 10 (depth = 1)"},
		{"depth", "variants = [\"none\"]\nfixture = \"freemarker\"\ndepth = [1, 5]", "benchmarks.toml:6: fixture freemarker is an application, one call of which is one unit of its work: it does not call itself to depth 5 (depth = 1)"},
		{"method time", "variants = [\"none\"]\nfixture = \"h2\"\ndepth = 1\nmethod_time = \"1us\"", "benchmarks.toml:7: fixture h2 is an application, one call of which is one unit of its work: that takes the time it takes (leave it out)"},
		{"busy wait", "variants = [\"none\"]\nfixture = \"h2\"\ndepth = 1\nbusy_wait = \"cpu\"", "benchmarks.toml:7: fixture h2 is an application, one call of which is one unit of its work: it waits for nothing (leave it out)"},
		{"batch", "variants = [\"none\"]\ncalls = 1000\nbatch = 7\nthreads = [1, 2]", "benchmarks.toml:6: batch = 7 does not divide calls = 1000 (take a divisor of calls)"},
		{"compiled in", "variants = [\"none\", \"probe/manual/collect\"]\nfixture = \"h2\"\ndepth = 1", "benchmarks.toml:4: probe/manual/collect is compiled into another program, moobench.probes.Manual, and fixture h2 is an application (take it out)"},
		{"pattern, compiled in", "variants = [\"none\",\n\"probe/manual/collect\"]\npattern = \"* a..*.*(..)\"", "benchmarks.toml:5: probe/manual/collect is compiled into one method, of moobench.probes.Manual, and can't monitor pattern \"* a..*.*(..)\" (take the variant or the pattern out)"},
		{"pattern, one class", "variants = [\"none\",\n\"opentelemetry/bci/otlp\"]\npattern = \"* a..*.*(..)\"", "benchmarks.toml:5: opentelemetry/bci/otlp monitors one class, by {class}, and pattern \"* a..*.*(..)\" names no single one (take the variant or the pattern out)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := planned(t, tt.lines)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// TestPatternIsTheSignature: what variants are told to monitor, what they are
// called, and that the number of records is open.
func TestPatternIsTheSignature(t *testing.T) {
	p, err := planned(t, `variants = ["none", "probe/hotswap/collect"]
fixture = "h2"
depth = 1
pattern = ["target", "public * org.h2.command..*.*(..)"]`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]struct {
		activate string
		expected int64
	}{
		"probe/hotswap/collect pattern=target":                           {"public long moobench.h2.Plain.monitoredMethod(long, int)", 500_000},
		"probe/hotswap/collect pattern=public * org.h2.command..*.*(..)": {"public * org.h2.command..*.*(..)", 0},
	}
	seen := 0
	for _, c := range p.Cells {
		w, ok := want[c.Label()]
		if !ok {
			continue
		}
		seen++
		got, _, err := plan.Invocation{Cell: c}.Swaps()
		if err != nil || strings.TrimPrefix(got, "+ ") != w.activate || c.Proof.Expected != w.expected {
			t.Errorf("%s: activates %q, expects %d records (%v), want %+v", c.Label(), got, c.Proof.Expected, err, w)
		}
		if _, ok := (plan.Invocation{Cell: c}).Vars()["class"]; ok == (w.expected == 0) {
			t.Errorf("%s: {class} is there: %t", c.Label(), ok)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d cells are there", seen, len(want))
	}
}

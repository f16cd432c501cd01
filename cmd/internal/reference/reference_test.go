package session

import (
	"slices"
	"strings"
	"testing"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/machine"
	"moobench/scenarios"
)

// TestEveryKeyIsDescribed: whatever a benchmarks.toml may hold says what it is for, in
// a clause that a reference can print.
func TestEveryKeyIsDescribed(t *testing.T) {
	lab := &Lab{Scenarios: scenarios.All(), Tree: machine.System()}
	keys := 0
	for _, s := range slices.Concat(config.Sections(lab.Known()), framework.Sections()) {
		if s.Text == "" || !strings.HasSuffix(s.Text, ".") {
			t.Errorf("%s says %q of itself", s.Name, s.Text)
		}
		for _, k := range s.Keys {
			keys++
			if k.Text == "" || strings.HasSuffix(k.Text, ".") || k.Kind.Type == "" {
				t.Errorf("%s, key %s: %q, a %q", s.Name, k.Name, k.Text, k.Kind.Type)
			}
		}
	}
	if keys < 150 {
		t.Errorf("only %d keys", keys)
	}
}

// TestDefaultsAreRight: what holds where nothing is said could stand in the file.
func TestDefaultsAreRight(t *testing.T) {
	lab := &Lab{Scenarios: scenarios.All(), Tree: machine.System()}
	for _, s := range lab.Scenarios {
		text := "name = \"x\"\n[machine]\n[machine.pin]\ncpus = \"0\"\n[machine.turbo]\nset = \"off\"\n[jvm]\n[command]\nrun = \"x\"\n" +
			"[server]\nrun = \"x\"\nready = \"http://127.0.0.1/\"\n[[server.request]]\nurl = \"http://127.0.0.1/\"\n" +
			"[gate]\nworse_by = \"3%\"\n[[question]]\ntext = \"?\"\na = \"none\"\nb = \"mine\"\n[framework.mine]\nagent = \"x.jar\"\n" +
			"[[scenario]]\nuse = \"" + s.Name() + "\"\nvariants = [\"none\", \"mine\"]\n"
		f, err := config.Parse("x.toml", []byte(text), lab.Known())
		if err != nil {
			t.Errorf("%s: %v", s.Name(), err)
			continue
		}
		if _, err := Frameworks(f); err != nil {
			t.Errorf("%s: %v", s.Name(), err)
		}
	}
}

package main

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
	term := &terminal{scenarios: scenarios.All(), tree: machine.System()}
	keys := 0
	for _, s := range slices.Concat(config.Sections(term.known()), framework.Sections()) {
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

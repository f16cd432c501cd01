package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAgentSettings: the agent is told what was given, and has its own defaults for the rest.
func TestAgentSettings(t *testing.T) {
	tests := []struct{ args, want []string }{
		{[]string{"--linger", "60s", "--probe=kieker", "--file", "/p", "--interval", "5", "--update", "--jmx"}, []string{
			"linger=60s", "probe=kieker", "file=/p", "interval=5", "update=true", "jmx=true",
		}},
		{[]string{"--update=false", "--list"}, nil},
	}
	for _, test := range tests {
		f := swapVerb(&terminal{}).Flags()
		if err := f.Parse(test.args); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(test.want, agentSettings(f)); d != "" {
			t.Errorf("%q: %s", test.args, d)
		}
	}
}

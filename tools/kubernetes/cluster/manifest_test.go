package main

import (
	"os"
	"strings"
	"testing"
)

// The manifest that moobench init kubernetes writes is a Job, to the last field; one with a mistake is refused.
func TestStrict(t *testing.T) {
	text, err := os.ReadFile("../../../examples/fleet/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, old, new, want string }{
		{"as written", "", "", ""},
		{"an unknown field", "backoffLimitPerIndex", "backoffLimitPerindex", `unknown field "spec.backoffLimitP`},
		{"a field that is there twice", "  parallelism: 4", "  parallelism: 4\n  parallelism: 4", "already set"},
		{"a wrong type", "values: [2]", `values: ["2"]`, "cannot unmarshal string"},
		{"a number that is to be text", `value: "4"`, "value: 4", "cannot unmarshal number"},
		{"another kind", "kind: Job", "kind: CronJob", "unknown field"},
		{"an unknown version", "batch/v1", "batch/v3", "no kind"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changed := strings.Replace(string(text), tt.old, tt.new, 1)
			if tt.old != "" && changed == string(text) {
				t.Fatalf("the manifest has no %q", tt.old)
			}
			job, err := strictJob([]byte(changed))
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want == "" && (job.Name != "moobench" || *job.Spec.BackoffLimitPerIndex == 0):
				t.Errorf("read as %+v", job.Spec)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

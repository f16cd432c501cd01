package testcell

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"moobench/harness/plan"
	"moobench/internal/testgolden"
)

// Schema compares what a campaign may say of a scenario, and what it measures, with testdata/schema.txt: all but
// what is told of it.
func Schema(t *testing.T, s plan.Schema) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s, window %v\n", s.Name, s.Fixture, s.Window)
	for _, p := range s.Parameters {
		p.About = ""
		fmt.Fprintf(&b, "%s, from %d on, auto %q\n", line(t, p), p.Min, p.Auto)
	}
	for _, m := range s.Metrics {
		m.About = ""
		fmt.Fprintln(&b, line(t, m))
	}
	testgolden.Check(t, "testdata/schema.txt", b.String())
}

func line(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

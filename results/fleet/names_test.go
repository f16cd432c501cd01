package fleet

import "testing"

// TestFits: a pack has the files of a campaign, and none that lead anywhere else.
func TestFits(t *testing.T) {
	for name, want := range map[string]bool{
		"SEALED": true, "campaign.json": true, "benchmarks.toml": true,
		"machines/m1.json":                         true,
		"invocations/b0001.s00.r0/invocation.json": true,
		"invocations/b0001.s00.r0/logs/jvm.log":    true,
		"invocations/b0001.s00.r0/.tmp-1":          false,
		"invocations/b0001.s00.r0/../../escape":    false,
		"invocations/b0001.s00.r0":                 false,
		"invocations/any/invocation.json":          false,
		"machines/m1.txt":                          false,
		"machines/m1/m2.json":                      false,
		"other/campaign.json":                      false,
		"machines":                                 false,
		"other.json":                               false,
		"/campaign.json":                           false,
		"./campaign.json":                          false,
		`machines\m1.json`:                         false,
		"":                                         false,
	} {
		if got := fits(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

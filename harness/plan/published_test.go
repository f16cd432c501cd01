package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

// Published figures reach the campaign, at the full name of their variant, and
// change no decision of the plan.
func TestPublished(t *testing.T) {
	const campaign = `name = "replica"
[[scenario]]
use      = "overhead"
variants = ["none", "mine"]
[framework.mine]
proof = "none"
`
	p := mustRead(t, campaign+`[[published]]
variant = "mine"
source  = "Somebody 2014, Figure 1"
mean    = "38984.74us"
`)
	want := []results.Published{{
		Scenario: "overhead", Variant: "mine/bci/default", Source: "Somebody 2014, Figure 1",
		Values: []results.PublishedValue{{Name: "mean", Value: 38984740, Unit: "ns"}},
	}}
	if diff := cmp.Diff(want, p.Campaign.Published); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	if without := mustRead(t, campaign); without.Campaign.PlanHash != p.Campaign.PlanHash {
		t.Error("figures to print beside ours make it another plan")
	}
}

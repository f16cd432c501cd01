package nightly

import (
	"strings"
	"testing"

	"moobench/cmd/internal/session"
)

// TestFit: a confirmation that goes on is the one that was planned, and one that begins has blocks
// enough to say something.
func TestFit(t *testing.T) {
	begins := map[string]Options{
		"series": {Series: "c01"},
		"night":  {Night: "n1"},
		"least":  {Least: 0.01},
		"blocks": {Blocks: 10},
		"seed":   {Options: session.Options{Seed: 1}},
		"dir":    {Options: session.Options{Dir: "d"}},
		"dry":    {Options: session.Options{Dry: true}},
		"none":   {Runs: "r", Artifacts: "a", History: "h"},
	}
	for name, o := range begins {
		if err := o.fit(); err != nil {
			t.Errorf("%s begins: %v", name, err)
		}
		o.Resume = "campaign"
		err := o.fit()
		if refused := err != nil && strings.HasPrefix(err.Error(), "--resume goes on"); refused != (name != "none") {
			t.Errorf("%s resumed: %v", name, err)
		}
	}
	for blocks, ok := range map[int]bool{-1: false, 0: true, 4: false, 5: true, 1000: true, 1001: false} {
		o := Options{Blocks: blocks}
		if err := o.fit(); (err == nil) != ok {
			t.Errorf("%d blocks: %v", blocks, err)
		}
	}
}

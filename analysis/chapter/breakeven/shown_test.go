package breakeven_test

import (
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
)

func TestShown(t *testing.T) {
	a, err := analysis.Analyse(testcampaign.Swapped())
	if err != nil {
		t.Fatal(err)
	}
	testchapter.Golden(t, a.BreakEvens, nil, nil)
}

package breakeven_test

import (
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
)

func TestShown(t *testing.T) {
	testchapter.Golden(t, testchapter.Analyse(t, testcampaign.Swapped()).BreakEvens, nil, nil)
}

package saturation_test

import (
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
)

func TestShown(t *testing.T) {
	testchapter.Check(t, testcampaign.Saturated(10), 0, "saturations")
}

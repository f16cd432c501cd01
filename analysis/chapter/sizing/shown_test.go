package sizing_test

import (
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
)

func TestShown(t *testing.T) {
	testchapter.Check(t, testcampaign.Sized(), 0, "sizing")
}

package course_test

import (
	"testing"

	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testchapter"
)

func TestShown(t *testing.T) {
	testchapter.Check(t, testcampaign.Followed(), 0, "course")
}

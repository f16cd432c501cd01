package calling

import (
	"testing"

	"moobench/harness/plan"
	"moobench/scenarios/internal/testcell"
)

func TestParameters(t *testing.T) {
	testcell.Schema(t, plan.Schema{Name: "x", Fixture: "fixture", Parameters: Parameters()})
}

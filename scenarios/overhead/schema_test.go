package overhead

import (
	"testing"

	"moobench/scenarios/internal/testcell"
)

func TestSchema(t *testing.T) { testcell.Schema(t, Scenario{}.Schema()) }

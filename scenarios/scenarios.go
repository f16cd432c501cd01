// Package scenarios lists the scenarios of moobench: what it does to a subject while it watches.
package scenarios

import (
	"moobench/harness/run"
	"moobench/scenarios/command"
	"moobench/scenarios/locks"
	"moobench/scenarios/overhead"
	"moobench/scenarios/reliability"
	"moobench/scenarios/saturation"
	"moobench/scenarios/scalability"
	"moobench/scenarios/server"
	"moobench/scenarios/threads"
	"moobench/scenarios/turnaround"
)

// All returns every scenario. A new one is a folder here and a line below.
func All() []run.Scenario {
	return []run.Scenario{
		overhead.Scenario{},
		saturation.Scenario{},
		turnaround.Scenario{},
		scalability.Scenario{},
		command.Scenario{},
		reliability.Scenario{},
		server.Scenario{},
		threads.Scenario{},
		locks.Scenario{},
	}
}

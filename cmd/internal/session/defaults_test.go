package session

import (
	"testing"

	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/scenarios"
)

// TestDefaultsAreRight: what holds where nothing is said could stand in the file.
func TestDefaultsAreRight(t *testing.T) {
	lab := &Lab{Scenarios: scenarios.All(), Tree: machine.System()}
	for _, s := range lab.Scenarios {
		text := "name = \"x\"\n[machine]\n[machine.pin]\ncpus = \"0\"\n[machine.turbo]\nset = \"off\"\n[jvm]\n[command]\nrun = \"x\"\n" +
			"[server]\nrun = \"x\"\nready = \"http://127.0.0.1/\"\n[[server.request]]\nurl = \"http://127.0.0.1/\"\n" +
			"[gate]\nworse_by = \"3%\"\n[[question]]\ntext = \"?\"\na = \"none\"\nb = \"mine\"\n[framework.mine]\nagent = \"x.jar\"\n" +
			"[[scenario]]\nuse = \"" + s.Schema().Name + "\"\nvariants = [\"none\", \"mine\"]\n"
		f, err := config.Parse("x.toml", []byte(text), lab.Known())
		if err != nil {
			t.Errorf("%s: %v", s.Schema().Name, err)
			continue
		}
		if _, err := Frameworks(f); err != nil {
			t.Errorf("%s: %v", s.Schema().Name, err)
		}
	}
}

package overhead

import (
	"fmt"
	"strings"

	"moobench/harness/fixture"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Check finds what an application can't be asked for, which has neither depth nor
// method time, and no probe compiled in: the parameter, why, and what to do; why is ""
// when all is well.
func (Scenario) Check(c results.Cell) (parameter, why, hint string) {
	program := c.Parameter("fixture")
	if !fixture.IsApplication(program) {
		return "", "", ""
	}
	about := "fixture " + program + " is an application, one call of which is one unit of its work: "
	switch {
	case c.Parameter("depth") != "1":
		return "depth", about + "it does not call itself to depth " + c.Parameter("depth"), "depth = 1"
	case c.Parameter("method_time") != "0":
		return "method_time", about + "that takes the time it takes", "leave it away"
	case c.Parameter("busy_wait") != "lazy":
		return "busy_wait", about + "it waits for nothing", "leave it away"
	case !strings.HasPrefix(c.Launch.Target, "moobench."+program+"."):
		return "variants", fmt.Sprintf("%s is compiled into another program, %s, and fixture %s is an application", c.Variant, c.Launch.Target, program), "take it out"
	}
	return "", "", ""
}

// patterned is what the probe counts where a pattern says what is monitored:
// how many records a call makes is only known afterwards.
type patterned struct {
	cell   plan.Cell
	ask    run.Asker
	before int64 // probes entered when the window opened, -1: nobody knows
}

// open reads the probe's count before the window.
func (p *patterned) open() error {
	p.before = -1
	if p.cell.Pattern() == "" {
		return nil
	}
	var err error
	p.before, err = entered(p.ask)
	return err
}

// close reads it after the window: every enter must have become a record.
func (p *patterned) close(rec run.Recorder) error {
	if p.before < 0 {
		return nil
	}
	after, err := entered(p.ask)
	if err != nil {
		return err
	}
	if p.cell.Proof.Kind == results.ProofCount {
		rec.Expected(after)
	}
	rec.Scalar(run.RecordsPerCall, float64(after-p.before)/float64(max(1, p.cell.Calls())))
	return nil
}

// entered is how often a probe was entered, -1 when nobody knows.
func entered(ask run.Asker) (int64, error) {
	answer, err := ask("records", nil)
	if err != nil {
		return 0, err
	}
	last := answer[len(answer)-1]
	if last.String("entered") == "" {
		return -1, nil
	}
	return last.Int("entered")
}

package overhead

import (
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// patterned counts the probe's calls where a pattern says what is monitored: how many
// records a call makes is only known afterwards.
type patterned struct {
	cell   plan.Cell
	ask    run.Asker
	before int64 // probes entered when the window opened; -1: unknown
}

// open reads the probe's count before the window.
func (p *patterned) open() error {
	p.before = -1
	if p.cell.Work.Pattern == "" {
		return nil
	}
	var err error
	p.before, err = entered(p.ask)
	return err
}

// close reads it after the window: every entered probe must have made a record.
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

// entered is how often a probe was entered; -1 is unknown.
func entered(ask run.Asker) (int64, error) {
	answer, err := ask.Last("records", nil)
	if err != nil || answer.String("entered") == "" {
		return -1, err
	}
	return answer.Int("entered")
}

package history

import (
	"errors"
	"fmt"
	"math"

	"moobench/analysis/infer"
)

// check makes sure that a record says what its kind is for.
func (r *Record) check() error {
	if r.Format < 1 {
		return errors.New("it has no format")
	}
	switch r.Kind {
	case KindNight:
		return r.Night.check()
	case KindConfirmation:
		return r.Confirmation.check()
	case KindAcceptance:
		if r.Acceptance == nil || r.Acceptance.Night == "" || r.Acceptance.Metric == "" {
			return errors.New("an acceptance without its night or series")
		}
		return nil
	}
	return fmt.Errorf("an unknown kind of record, %q", r.Kind)
}

func (n *Night) check() error {
	switch {
	case n == nil || n.ID == "" || n.Metric == "" || n.Cell == "":
		return errors.New("a night without its ID or series")
	case n.When.IsZero():
		return errors.New("a night without its time")
	case !logarithm(n.Log, n.SE) || !number(n.DF, n.Raw, n.ReferenceRaw) || n.SE < 0 || n.DF < 0:
		return errors.New("a night whose value is no number")
	}
	return nil
}

func (c *Confirmation) check() error {
	if c == nil || c.Night == "" || c.Metric == "" {
		return errors.New("a confirmation without its night or series")
	}
	if !logarithm(c.Log, c.Low, c.High) {
		return errors.New("a confirmation whose value is no number")
	}
	switch c.Verdict {
	case infer.Confirmed, infer.Refuted, infer.Open:
		return nil
	}
	return fmt.Errorf("a confirmation with an unknown verdict, %q", c.Verdict)
}

// logarithm says whether these can be logarithms of ratios that are measured:
// others have no ratio.
func logarithm(xs ...float64) bool {
	for _, x := range xs {
		if !(math.Abs(x) < 100) {
			return false
		}
	}
	return true
}

func number(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

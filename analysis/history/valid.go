package history

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
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
		c := r.Confirmation
		switch {
		case c == nil || c.Night == "" || c.Metric == "":
			return errors.New("a confirmation without its night or series")
		case !logarithms(c.Log, c.Low, c.High):
			return errors.New("a confirmation whose value is no number")
		case !slices.Contains([]infer.Settlement{infer.Confirmed, infer.Refuted, infer.Open}, c.Verdict):
			return fmt.Errorf("a confirmation with an unknown verdict, %q", c.Verdict)
		}
		return nil
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
	case !logarithms(n.Log, n.SE) || !stats.Finite(n.DF, n.Raw, n.ReferenceRaw) || n.SE < 0 || n.DF < 0:
		return errors.New("a night whose value is no number")
	}
	return nil
}

// logarithms says whether these can be logarithms of ratios that are measured:
// others have no ratio.
func logarithms(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return !(math.Abs(x) < 100) })
}

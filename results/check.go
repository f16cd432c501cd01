package results

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// check returns an error for anything that no analysis could work with: unknown choices, and numbers out of
// range. References to missing cells are left to the analysis, which can answer the rest.
func (c *Campaign) check() error {
	var errs []error
	for i := range c.Scenarios {
		if err := c.Scenarios[i].check(); err != nil {
			errs = append(errs, fmt.Errorf("scenario %q: %w", c.Scenarios[i].Label, err))
		}
	}
	for i := range c.Standards {
		if err := CheckStandard(c.Standards[i].NS); err != nil {
			errs = append(errs, fmt.Errorf("standard: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (s *Scenario) check() error {
	errs := []error{
		known("window", s.Window, WindowSteady, WindowHalf, WindowAll),
		known("pool", s.Pool, PoolCalls, PoolLastLoop),
	}
	if z := s.Settling; z != nil {
		errs = append(errs, within("within_ns", z.WithinNS, z.WithinNS >= 0, "0 or more"))
	}
	if s.Sizing != nil {
		errs = append(errs, s.Sizing.check())
	}
	for i := range s.Questions {
		if err := s.Questions[i].check(); err != nil {
			errs = append(errs, fmt.Errorf("question %q: %w", s.Questions[i].ID, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Sizing) check() error {
	errs := []error{
		atLeast0("precision", s.Precision), atLeast0("pilot", s.Pilot),
		atLeast0("max_blocks", s.MaxBlocks), atLeast0("max_time_ns", s.MaxTimeNS),
	}
	if d := s.Decision; d != nil {
		errs = append(errs,
			known("cut", d.Cut, CutTime, CutBlocks), atLeast0("blocks", d.Blocks), atLeast0("wanted", d.Wanted))
		for _, c := range d.Cells {
			if c.Pairs < 0 || c.SD < 0 || c.Wanted < 0 {
				errs = append(errs, fmt.Errorf("size of cell %q: pairs %d, sd %v, wanted %d (want none below 0)",
					c.Cell, c.Pairs, c.SD, c.Wanted))
			}
		}
	}
	return errors.Join(errs...)
}

// testName matches names of tests. The analysis knows which of them exist, and gives no answer for others.
var testName = regexp.MustCompile(`^[a-z-]{0,32}$`)

func (q *Question) check() error {
	errs := []error{
		within("quantile", q.Quantile, q.Quantile >= 0 && q.Quantile <= 1, "from 0 to 1"),
		within("alpha", q.Alpha, q.Alpha >= 0 && q.Alpha < 1, "from 0 to below 1"),
		within("test", q.Test, testName.MatchString(string(q.Test)), "a word"),
		known("alternative", q.Alternative, "two-sided", "less", "greater"),
	}
	if m := q.Margin; m != nil && (m.Share < 0 || m.Amount < 0 || m.ShareFrom < 0) {
		errs = append(errs, fmt.Errorf("margin: share %v, amount %v, share_from %v (want none below 0)",
			m.Share, m.Amount, m.ShareFrom))
	}
	return errors.Join(errs...)
}

// known returns an error unless v is empty or one of these.
func known[T ~string](name string, v T, these ...T) error {
	if v == "" || slices.Contains(these, v) {
		return nil
	}
	want := Each(these, func(s T) string { return string(s) })
	return fmt.Errorf("unknown %s %q (want %s)", name, v, strings.Join(want, ", "))
}

func atLeast0[T int | int64 | float64](name string, v T) error {
	return within(name, v, v >= 0, "0 or more")
}

func within(name string, v any, ok bool, want string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s %v (want %s)", name, v, want)
}

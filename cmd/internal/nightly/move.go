package nightly

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
	"moobench/results"
)

// Moving names a machine, and the one on which its series continue.
type Moving struct {
	History  string
	From, To string // as named by moobench history show
}

// Move continues the series of one machine on another, and prints a line for each. Series with too
// few pairs of nights stay, and are listed; if none has enough, that is an error.
func (m Moving) Move(w io.Writer, now time.Time) error {
	h, err := some(m.History)
	if err != nil {
		return err
	}
	from, errFrom := machineCalled(h, "--from", m.From)
	to, errTo := machineCalled(h, "--to", m.To)
	switch {
	case errFrom != nil || errTo != nil:
		return outcome.Usage(errors.Join(errFrom, errTo))
	case from == to:
		return outcome.Usage(fmt.Errorf("--from and --to name the same machine, %s", doc.Clean(from.ID)))
	}
	all, err := h.Succeed(from, to, now.UTC().Truncate(time.Millisecond))
	if err != nil {
		return outcome.Usage(refusal.New(err, "moobench history show names the machine that each series continues on"))
	}
	p := continuing(all, to)
	if p.going == 0 {
		return m.tooFew(from, to, p)
	}
	if _, err := history.Append(m.History, p.records...); err != nil {
		return err
	}
	for _, line := range append(p.lines, results.Each(p.lacking, func(l string) string { return "stays: " + l })...) {
		fmt.Fprintln(w, line)
	}
	file := doc.Clean(m.History)
	fmt.Fprintf(w, "next: moobench history check --history %s; keep that file where your nights read it\n", file)
	return nil
}

// moves holds the series that continue, and in words those that lack pairs of nights.
type moves struct {
	records        []history.Record
	lines, lacking []string
	going          int // number of continuing series, without noise floors
	missing        int // missing nights of the series that lacks most
}

// continuing splits the series into those that continue and those that don't.
func continuing(all []history.Succession, to history.Machine) (p moves) {
	for i := range all {
		s := &all[i]
		if s.Goes() {
			p.records = append(p.records, history.Record{Kind: history.KindMove, Move: &s.Move})
			p.lines = append(p.lines, doc.Clean(fmt.Sprintf("%s continues on %s%s", s.Move.Key, to.ID, shiftText(s))))
			if !s.Floor {
				p.going++
			}
			continue
		}
		p.missing = max(p.missing, history.LeastPairs-s.Shift.Pairs)
		pairs := figure.Plural(s.Shift.Pairs, "pair", "pairs")
		const text = "%s has %s of nights with the same files and plan on both machines, and %d are needed"
		p.lacking = append(p.lacking, doc.Clean(fmt.Sprintf(text, s.Move.Key, pairs, history.LeastPairs)))
	}
	return p
}

// shiftText returns a series' shift with its interval, or "" for a noise floor, which has no shift.
func shiftText(s *history.Succession) string {
	return prose.If(!s.Floor, ": shift %s", s.Shift.String())
}

// tooFew returns an error that lists the series without enough pairs, and says how to get more.
func (m Moving) tooFew(from, to history.Machine, p moves) error {
	if len(p.lacking) == 0 {
		return fmt.Errorf("%s has no series that is still measured", doc.Clean(from.ID))
	}
	const hint = "measure %s of the builds that %s has measured on %s: " +
		"moobench run --artifacts results/artifacts benchmarks.toml, then moobench history add DIR --history %s"
	nights := figure.Plural(p.missing, "more night", "more nights")
	return refusal.New(errors.New(strings.Join(p.lacking, "\n")),
		fmt.Sprintf(hint, nights, doc.Clean(from.ID), doc.Clean(to.ID), doc.Clean(m.History)))
}

// leastNamed is the shortest prefix of a machine's ID that may name it.
const leastNamed = 4

// machineCalled returns the machine of the history that a flag names: by its ID or a prefix, or by
// the CPU model of a pool.
func machineCalled(h *history.History, flag, name string) (history.Machine, error) {
	all := h.Machines()
	var found []history.Machine
	for _, m := range all {
		switch {
		case m.ID == name:
			return m, nil
		case m.Pool != "" && m.CPU == name, len(name) >= leastNamed && strings.HasPrefix(m.ID, name):
			found = append(found, m)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) > 1 {
		all = found
	}
	names := results.Each(all, func(m history.Machine) string { return doc.Clean("'" + m.ID + "'") })
	slices.Sort(names)
	what := fmt.Sprintf("the history has no night of a machine %q", name)
	if len(found) > 1 {
		what = fmt.Sprintf("%q names several machines", name)
	}
	return history.Machine{}, refusal.New(fmt.Errorf("%s: %s", flag, what), "there are: "+strings.Join(names, ", "))
}

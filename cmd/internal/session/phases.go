package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"moobench/analysis"
	"moobench/cmd/internal/outcome"
	"moobench/harness/framework"
	"moobench/harness/machine"
	"moobench/harness/run"
	"moobench/results"
)

// phase is one step from a plan to its answers.
type phase struct {
	name string
	// does and undo are sentences without a subject, for a preview: what happens, and how it is
	// undone. undo is "" if nothing needs undoing.
	does, undo string
	// needed reports whether the plan needs the phase; nil: every plan does.
	needed func(*Session) bool
	// always means that the phase runs even if an earlier one failed.
	always bool
	// unfit means that its errors are this machine's: a shard may succeed elsewhere.
	unfit bool
	// run carries out the phase, and returns a function that undoes it, or nil.
	run func(m *measuring, ctx context.Context) (undo func() error, err error)
}

// measuring is a plan under way, with the state that phases pass on.
type measuring struct {
	*Session
	dir  string // of the campaign
	hint string // advice if the campaign ends early
	// tell receives the answers.
	tell func(*results.Store, *analysis.Answers) error

	resolver *framework.Resolver
	runner   *run.Runner
	quiet    *machine.Quiet
	host     results.Machine
	store    *results.Store // nil until the campaign begins
	undos    []undoing      // of the completed phases
	err      error          // errors of failed phases
}

// undoing is the undo function of a phase.
type undoing struct {
	phase string
	undo  func() error
}

// phases returns all phases in order. Measurements without answers, such as a calibration, use some
// of them.
func phases() []phase {
	return slices.Concat([]phase{
		{
			name: "suit", unfit: true, run: (*measuring).suit, needed: (*Session).needsJava,
			does: "finds Java, and refuses variants that can't run on it, before hours of waiting",
		},
		{
			name: "lock", run: (*measuring).lock,
			does: "waits until nobody else measures on this machine, and puts back what a killed moobench left changed",
			undo: "unlocked at the end",
		},
		{name: "orphans", does: "ends JVMs that a killed moobench left behind", run: (*measuring).orphans},
		{
			name: "foresee", unfit: true, run: (*measuring).foresee,
			does: "refuses what [machine] requires and this machine can't have, before minutes of building",
		},
	}, fetching(), []phase{
		{
			name: "rehearse", run: (*measuring).rehearse, needed: (*Session).rehearses,
			does: "runs the user's program once without an agent: how long it may take with one follows from that",
		},
		{
			name: "quieten", unfit: true, run: (*measuring).quieten,
			does: "pins CPUs and sets the knobs of [machine]",
			undo: "what was found is put back after the last JVM, or by the next moobench",
		},
		{
			name: "vary", unfit: true, run: (*measuring).vary,
			does: "makes sure that the machine can be what each cell wants of it",
		},
		{
			name: "begin", run: (*measuring).begin,
			does: "makes the campaign's folder, or opens the one that is resumed",
			undo: "no longer locked after the last JVM",
		},
		{name: "run", does: "starts the blocks in their order, and seals the campaign", run: (*measuring).run},
		{name: "put back", does: "undoes all from quieten on", always: true, run: (*measuring).putBack},
		{
			name: "answer", always: true, run: (*measuring).answer,
			does: "computes the answers, and writes the page, before anybody else may measure here",
		},
	})
}

// fetching returns the phases that get files without touching the machine or the campaign's folder.
// They come first, so that their failures change nothing.
func fetching() []phase {
	return []phase{
		{name: "java", does: "asks each Java for its version", unfit: true, run: (*measuring).java},
		{
			name: "fixtures", run: (*measuring).fixtures, needed: (*Session).needsFixtures,
			does: "builds the fixtures into the user's cache, unless they are there",
		},
		{
			name: "artifacts", run: (*measuring).artifacts,
			does: "downloads agents, unless they are there, and checks their SHA-256",
		},
		{
			name: "prepare", run: (*measuring).prepare, needed: (*Session).prepares,
			does: "weaves the classes of variants that are woven before they run",
		},
		{
			name: "keep", run: (*measuring).keep, needed: (*Session).keeps,
			does: "keeps the jars that may be others tomorrow",
		},
	}
}

// between returns the phases from first to last, both included.
func between(first, last string) []phase {
	all := phases()
	at := func(name string) int {
		return slices.IndexFunc(all, func(p phase) bool { return p.name == name })
	}
	return all[at(first) : at(last)+1]
}

// carry runs phases in order; after a failure only those marked always. In the end, even after a
// panic, it undoes the rest, the last phase first.
func (m *measuring) carry(ctx context.Context, phases []phase) (err error) {
	defer func() { err = errors.Join(m.err, m.undo("")) }()
	m.do(ctx, phases)
	return nil
}

// do runs phases in order, without undoing them.
func (m *measuring) do(ctx context.Context, phases []phase) {
	for _, p := range phases {
		if m.err != nil && !p.always || p.needed != nil && !p.needed(m.Session) {
			continue
		}
		undo, err := p.run(m, ctx)
		if undo != nil {
			m.undos = append(m.undos, undoing{p.name, undo})
		}
		if err != nil && p.unfit && m.Plan.Campaign.Shard != nil && ctx.Err() == nil {
			err = outcome.Unfit(err)
		}
		if err != nil {
			m.err = errors.Join(m.err, err)
		}
	}
}

// undo undoes everything since the given phase, the last phase first, or nothing if that phase has
// nothing to undo. "" stands for the first phase.
func (m *measuring) undo(since string) error {
	first := 0
	if since != "" {
		first = slices.IndexFunc(m.undos, func(u undoing) bool { return u.phase == since })
	}
	if first < 0 {
		return nil
	}
	var errs []error
	for len(m.undos) > first {
		last := m.undos[len(m.undos)-1]
		m.undos = m.undos[:len(m.undos)-1] // removed first, so that it does not run twice
		errs = append(errs, last.undo())
	}
	return errors.Join(errs...)
}

// writePhases prints the order of the phases.
func (s *Session) writePhases(w io.Writer) {
	fmt.Fprintln(w, "\nphases")
	for _, p := range phases() {
		if p.needed != nil && !p.needed(s) {
			continue
		}
		text := p.does
		if p.undo != "" {
			text += "; " + p.undo
		}
		fmt.Fprintf(w, "  %-9s  %s\n", p.name, text)
	}
}

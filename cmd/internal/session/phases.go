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

// phase is one step on the way from a plan to its answers.
type phase struct {
	name string
	// does and undo are sentences without a subject, for those who look before they measure: what
	// happens, and how it is put back. Without undo nothing is left that needs putting back.
	does, undo string
	// needed says whether a plan gives it anything to do; nil: each does.
	needed func(*Session) bool
	// always says that it is done although a phase before it failed.
	always bool
	// unfit says that an error of it is the machine's: a shard may do elsewhere.
	unfit bool
	// run does it, and returns how it is undone, nil if there is nothing to undo.
	run func(m *measuring, ctx context.Context) (undo func() error, err error)
}

// measuring is a plan under way: what each phase leaves for the next ones.
type measuring struct {
	*Session
	dir  string // of the campaign
	hint string // what the user does when it ends early
	// tell gets the answers.
	tell func(*results.Store, *analysis.Answers) error

	resolver *framework.Resolver
	runner   *run.Runner
	quiet    *machine.Quiet
	host     results.Machine
	store    *results.Store // nil before the campaign has begun
	undos    []undoing      // of the phases that were done
	err      error          // why a phase failed
}

// undoing is how a phase is undone.
type undoing struct {
	phase string
	undo  func() error
}

// phases are all of them, in their order. What is measured without answers, such as a
// calibration, takes some of them.
func phases() []phase {
	return slices.Concat([]phase{
		{
			name: "suit", does: "finds Java, and refuses variants that can't run on it, before hours of waiting", unfit: true,
			run: (*measuring).suit, needed: (*Session).needsJava,
		},
		{
			name: "lock", does: "waits until nobody else measures on this machine, and puts back what a killed moobench left changed",
			undo: "unlocked at the end", run: (*measuring).lock,
		},
		{name: "orphans", does: "ends JVMs that a killed moobench left behind", run: (*measuring).orphans},
		{
			name: "foresee", does: "refuses what [machine] requires and this machine can't have, before minutes of building", unfit: true,
			run: (*measuring).foresee,
		},
	}, fetching(), []phase{
		{
			name: "rehearse", does: "runs the user's program once without an agent: how long it may take with one follows from that",
			run: (*measuring).rehearse, needed: (*Session).rehearses,
		},
		{
			name: "quieten", does: "pins CPUs and sets the knobs of [machine]", undo: "what was found is put back after the last JVM, or by the next moobench",
			unfit: true, run: (*measuring).quieten,
		},
		{name: "vary", does: "makes sure that the machine can be what each cell wants of it", unfit: true, run: (*measuring).vary},
		{
			name: "begin", does: "makes the campaign's folder, or opens the one that is resumed", undo: "no longer locked after the last JVM",
			run: (*measuring).begin,
		},
		{name: "run", does: "starts the blocks in their order, and seals the campaign", run: (*measuring).run},
		{name: "put back", does: "undoes all from quieten on", always: true, run: (*measuring).putBack},
		{
			name: "answer", does: "computes the answers, and writes the page, before anybody else may measure here", always: true,
			run: (*measuring).answer,
		},
	})
}

// fetching are the phases that get what can be had without touching the machine or the campaign's
// folder. What can fail there fails before anything is changed.
func fetching() []phase {
	return []phase{
		{name: "java", does: "asks each Java for its version", unfit: true, run: (*measuring).java},
		{
			name: "fixtures", does: "builds the fixtures into the user's cache, unless they are there", run: (*measuring).fixtures,
			needed: (*Session).needsFixtures,
		},
		{name: "artifacts", does: "downloads agents, unless they are there, and checks their SHA-256", run: (*measuring).artifacts},
		{
			name: "prepare", does: "weaves the classes of variants that are woven before they run", run: (*measuring).prepare,
			needed: (*Session).prepares,
		},
		{name: "keep", does: "keeps the jars that may be others tomorrow", run: (*measuring).keep, needed: (*Session).keeps},
	}
}

// between are the phases from one to another, both of them included.
func between(first, last string) []phase {
	all := phases()
	at := func(name string) int {
		return slices.IndexFunc(all, func(p phase) bool { return p.name == name })
	}
	return all[at(first) : at(last)+1]
}

// carry does phases in their order; after one that failed only those that are always done. In the
// end, also after a panic, all that was not undone yet is, the last phase first.
func (m *measuring) carry(ctx context.Context, phases []phase) (err error) {
	defer func() { err = errors.Join(m.err, m.undo("")) }()
	m.do(ctx, phases)
	return nil
}

// do does phases in their order, and leaves them done.
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

// undo undoes all that was done since a phase began, the last phase first; nothing, where that
// one left nothing to undo. "" is the first of all phases.
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
		m.undos = m.undos[:len(m.undos)-1] // before it runs: it is not tried twice
		errs = append(errs, last.undo())
	}
	return errors.Join(errs...)
}

// writePhases says in which order things will happen.
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

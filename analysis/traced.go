package analysis

import (
	"fmt"
	"os"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/chapter/threads"
	"moobench/analysis/evidence"
	"moobench/results"
)

// Traced is an invocation whose probe logged events to a file that was kept.
type Traced struct {
	Invocation, Cell string // IDs
	file             string
}

// Follow reads what the threads did. Only pictures need it, and it takes longer than all the rest of a report.
func (t Traced) Follow() (o *threads.Order, g *threads.Graph, err error) {
	err = t.read(func(f *os.File) (err error) {
		o, g, err = threads.Follow(f, threads.Closely())
		return err
	})
	return o, g, err
}

// Locks reads the locks of the threads, if those were logged.
func (t Traced) Locks() (r *locks.Report, err error) {
	err = t.read(func(f *os.File) (err error) {
		r, err = locks.Read(f)
		return err
	})
	return r, err
}

func (t Traced) read(read func(f *os.File) error) error {
	f, err := os.Open(t.file)
	if err != nil {
		return fmt.Errorf("opening the events of %s: %w", t.Invocation, err)
	}
	defer f.Close()
	if err := read(f); err != nil {
		return fmt.Errorf("reading the events of %s: %w", t.Invocation, err)
	}
	return nil
}

// eventful is a source that keeps events.
type eventful interface {
	Events(inv *results.Invocation) ([]string, error)
}

// findEvents finds each cell's first invocation with kept events.
func (a *Answers) findEvents(src Source, all []evidence.Invocation) {
	from, ok := src.(eventful)
	if !ok {
		return
	}
	done := map[string]bool{}
	for i := range all {
		inv := all[i].Invocation
		if done[inv.Cell] {
			continue
		}
		if files, _ := from.Events(inv); len(files) > 0 { // only a malformed pattern fails
			done[inv.Cell] = true
			a.Traced = append(a.Traced, Traced{inv.Identity.String(), inv.Cell, files[0]})
		}
	}
}

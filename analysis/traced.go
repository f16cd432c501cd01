package analysis

import (
	"fmt"
	"io"
	"os"

	"moobench/analysis/evidence"
	"moobench/analysis/threads"
	"moobench/results"
)

// Traced is what the threads of one invocation did, by the events that its probe logged.
type Traced struct {
	Invocation, Cell string // IDs
	Order            *threads.Order
	Graph            *threads.Graph
}

// eventful is a source that has kept events.
type eventful interface {
	Events(inv *results.Invocation) ([]string, error)
}

// readEvents reads the events of each cell's first invocation of which any were kept, and
// returns what could not be read.
func (a *Answers) readEvents(src Source, all []evidence.Invocation) (problems []string) {
	from, ok := src.(eventful)
	if !ok {
		return nil
	}
	done := map[string]bool{}
	for i := range all {
		inv := all[i].Invocation
		files, err := from.Events(inv)
		if err == nil && (len(files) == 0 || done[inv.Cell]) {
			continue
		}
		done[inv.Cell] = true
		t := Traced{Invocation: inv.Identity.String(), Cell: inv.Cell}
		if err == nil {
			t.Order, t.Graph, err = readTraced(files[0])
		}
		if err != nil {
			problems = append(problems, fmt.Sprintf("reading the events of %s: %v", inv.Identity, err))
			continue
		}
		a.Traced = append(a.Traced, t)
	}
	return problems
}

func readTraced(name string) (*threads.Order, *threads.Graph, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	o, err := threads.Read(f, threads.Closely())
	if err != nil {
		return nil, nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, nil, err
	}
	g, err := threads.ReadGraph(f)
	return o, g, err
}

package testcell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"moobench/harness/jvm"
	"moobench/harness/run"
	"moobench/results"
)

// Program is a made-up fixture that runs a program in rounds, and the recorder of its invocation.
type Program struct {
	run.Subject
	run.Recorder
	calls  int64
	rounds []int64 // ns
	dir    string
	// Records is how many the recorder was told to expect.
	Records int64
	// Scalars and Warnings are what was recorded.
	Scalars  map[string]float64
	Warnings []string
}

// NewProgram makes a fixture that says it made so many calls, in rounds that took so long (ns). It writes into dir.
func NewProgram(dir string, calls int64, rounds ...int64) *Program {
	return &Program{calls: calls, rounds: rounds, dir: dir, Scalars: map[string]float64{}}
}

// Start does nothing.
func (p *Program) Start(context.Context) error { return nil }

// Begin does nothing.
func (p *Program) Begin() error { return nil }

// End does nothing.
func (p *Program) End(int64) error { return nil }

// Dumped does nothing.
func (p *Program) Dumped(results.Series) {}

// Dir is the folder of the samples.
func (p *Program) Dir() string { return p.dir }

// Expected keeps the number of records.
func (p *Program) Expected(n int64) { p.Records = n }

// Scalar keeps a scalar.
func (p *Program) Scalar(name string, v float64) { p.Scalars[name] = v }

// Warn keeps a warning.
func (p *Program) Warn(format string, args ...any) {
	p.Warnings = append(p.Warnings, fmt.Sprintf(format, args...))
}

// Ask answers as a fixture does.
func (p *Program) Ask(_ context.Context, request jvm.Message) (all []jvm.Message, err error) {
	series := results.Series{
		Name: results.SeriesRound, Batch: 1,
		Columns: []results.Column{{Name: "t", Unit: "ns", Kind: results.KindDuration}},
	}
	dump, err := os.Create(filepath.Join(p.dir, "round.i64"))
	if err == nil {
		err = errors.Join(results.WriteDump(dump, series, p.rounds), dump.Close())
	}
	if err != nil {
		return nil, err
	}
	lines := map[string]string{
		"setup":   "ready",
		"measure": fmt.Sprintf("measured begin_ns=0 end_ns=100 calls=%d", p.calls),
		"dump": fmt.Sprintf(
			"series name=round thread=0 columns=t:ns:duration count=%d batch=1 file=round.i64\ndumped", len(p.rounds),
		),
	}[request.Verb]
	for line := range strings.Lines(lines) {
		m, err := jvm.ParseMessage(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

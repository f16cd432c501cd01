package run

import (
	"context"
	"path/filepath"

	"moobench/harness/jvm"
	"moobench/results"
)

// The kinds of failure of a fixture that answered.
const (
	KindSwap   = "swap"   // a change that changed nothing, or not everything it should have
	KindCounts = "counts" // numbers that do not fit together
)

// Asker sends one request to a fixture and returns the lines of its answer, the terminal
// one last.
type Asker func(verb string, args map[string]string) ([]jvm.Message, error)

// AskerOf returns the Asker of a fixture, until ctx ends.
func AskerOf(ctx context.Context, s Subject) Asker {
	return func(verb string, args map[string]string) ([]jvm.Message, error) {
		return s.Ask(ctx, jvm.Message{Verb: verb, Args: args})
	}
}

// Last sends a request and returns the terminal line of its answer.
func (ask Asker) Last(verb string, args map[string]string) (jvm.Message, error) {
	answer, err := ask(verb, args)
	if err != nil {
		return jvm.Message{}, err
	}
	return answer[len(answer)-1], nil
}

// Measure opens the window, has a fixture measure, and closes the window at the end that
// the returned answer gives. It records what every such answer holds: the loop's wall
// time, how long its threads waited for a CPU, and the number of records.
func Measure(ask Asker, rec Recorder) (jvm.Message, error) {
	if err := rec.Begin(); err != nil {
		return jvm.Message{}, err
	}
	m, err := ask.Last("measure", nil)
	if err != nil {
		return m, err
	}
	end, err := m.Int("end_ns")
	if err != nil {
		return m, err
	}
	if err := rec.End(end); err != nil {
		return m, err
	}
	begin, err := m.Int("begin_ns")
	if err != nil {
		return m, err
	}
	rec.Scalar(LoopNS, float64(end-begin))
	if delay, err := m.Int("delay_ns"); err == nil && delay >= 0 {
		rec.Scalar(RunDelayNS, float64(delay))
	}
	if n, err := m.Int("recorded"); err == nil {
		rec.Recorded(n)
	}
	return m, nil
}

// Heap has a fixture collect its garbage, and records what is left.
func Heap(ask Asker, rec Recorder) error {
	answer, err := ask.Last("gc", nil)
	if err != nil {
		return err
	}
	used, err := answer.Int("heap_used_bytes")
	if err != nil {
		return err
	}
	rec.Scalar(HeapAfterGC, float64(used))
	return nil
}

// Samples has a fixture dump its samples, and records and returns them. In the resources
// profile it records the heap instead, in that of a proof nothing; then it returns nil.
func Samples(ask Asker, profile results.Profile, rec Recorder) ([]results.Series, error) {
	switch profile {
	case results.ProfileProof:
		return nil, nil
	case results.ProfileResources:
		return nil, Heap(ask, rec)
	}
	all, err := Dump(ask)
	for _, s := range all {
		rec.Dumped(s)
	}
	return all, err
}

// Dump has a fixture dump its series.
func Dump(ask Asker) ([]results.Series, error) {
	answer, err := ask("dump", nil)
	if err != nil {
		return nil, err
	}
	all := []results.Series{}
	for _, m := range answer[:len(answer)-1] {
		s, err := seriesOf(m)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// Columns reads the columns of a series that a fixture dumped into a folder, by name.
func Columns(dir string, s results.Series) (map[string][]int64, error) {
	columns, err := results.ReadDump(filepath.Join(dir, s.Dump), s)
	if err != nil {
		return nil, err
	}
	named := map[string][]int64{}
	for i, c := range s.Columns {
		named[c.Name] = columns[i]
	}
	return named, nil
}

// seriesOf reads a fixture's description of a raw dump, a line of its answer to dump. The
// error is a *jvm.Failure.
func seriesOf(m jvm.Message) (results.Series, error) {
	s := results.Series{Name: m.String("name"), Dump: m.String("file")}
	thread, err := m.Int("thread")
	if err != nil {
		return s, err
	}
	s.Thread = int(thread)
	if s.Count, err = m.Int("count"); err != nil {
		return s, err
	}
	if s.Batch, err = m.Int("batch"); err != nil {
		return s, err
	}
	if s.Columns, err = results.ParseColumns(m.String("columns")); err != nil {
		return s, jvm.Failuref(jvm.KindGarbage, "the fixture describes series %s wrongly: %w", s.Name, err)
	}
	return s, nil
}

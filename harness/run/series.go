package run

import (
	"fmt"

	"moobench/harness/jvm"
	"moobench/results"
)

// Asker sends one request to a fixture and returns the lines of its answer, the
// terminal one last.
type Asker func(verb string, args map[string]string) ([]jvm.Message, error)

// Measured closes the window with a fixture's answer to measure, and takes down
// what every such answer says: the loop's wall time, how long its threads waited
// for a CPU, and how many records there were.
func Measured(m jvm.Message, rec Recorder) error {
	end, err := m.Int("end_ns")
	if err != nil {
		return err
	}
	if err := rec.End(end); err != nil {
		return err
	}
	begin, err := m.Int("begin_ns")
	if err != nil {
		return err
	}
	rec.Scalar(LoopNS, float64(end-begin))
	if delay, err := m.Int("delay_ns"); err == nil && delay >= 0 {
		rec.Scalar(RunDelayNS, float64(delay))
	}
	if n, err := m.Int("recorded"); err == nil {
		rec.Recorded(n)
	}
	return nil
}

// Heap has a fixture collect its garbage, and takes down what is left.
func Heap(ask Asker, rec Recorder) error {
	answer, err := ask("gc", nil)
	if err != nil {
		return err
	}
	used, err := answer[len(answer)-1].Int("heap_used_bytes")
	if err != nil {
		return err
	}
	rec.Scalar(HeapAfterGC, float64(used))
	return nil
}

// Dump has a fixture write its samples, takes them down, and returns what was
// dumped.
func Dump(ask Asker, rec Recorder) ([]results.Series, error) {
	answer, err := ask("dump", nil)
	if err != nil {
		return nil, err
	}
	var all []results.Series
	for _, m := range answer[:len(answer)-1] {
		s, err := SeriesOf(m)
		if err != nil {
			return nil, err
		}
		rec.Dumped(s)
		all = append(all, s)
	}
	return all, nil
}

// SeriesOf reads a fixture's description of a raw dump: a line of its answer to
// dump. The error is a *jvm.Failure.
func SeriesOf(m jvm.Message) (results.Series, error) {
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
		return s, &jvm.Failure{Kind: jvm.KindGarbage, Message: fmt.Sprintf("the fixture describes series %s wrongly: %v", s.Name, err), Err: err}
	}
	return s, nil
}

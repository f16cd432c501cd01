package run

import (
	"fmt"

	"moobench/harness/jvm"
	"moobench/results"
)

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

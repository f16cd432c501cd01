package receiver

import (
	"fmt"
	"io"

	"moobench/results/events"
)

// openProbeEvents counts the executions in the logs of moobench's probe of events.
func openProbeEvents(dir string) Source {
	return &written{dir: dir, patterns: []string{"events-*.bin"}, header: events.HeaderBytes, count: countEach("count the probe's events", countEvents)}
}

// countEvents counts the executions of which a log has the end: other probes make one record
// of each.
func countEvents(r io.ReadSeeker) (n int64, err error) {
	l, err := events.Scan(r, func(_ *events.Log, e events.Event) error {
		if e.Kind == events.Exit || e.Kind == events.Thrown {
			n++
		}
		return nil
	})
	if err == nil && !l.Whole {
		err = fmt.Errorf("it was cut off after %d events", l.Events)
	}
	return n, err
}

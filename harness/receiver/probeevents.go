package receiver

import (
	"fmt"
	"io"
	"path/filepath"

	"moobench/results/events"
)

// openProbeEvents counts the executions in the logs of moobench's event probe.
func openProbeEvents(dir string) Source {
	count := countEach("count the probe's events", countEvents)
	w := &written{dir: dir, patterns: []string{"events-*.bin"}, header: events.HeaderBytes, count: count}
	return &eventLogs{w}
}

// eventLogs are the logs of the event probe, from which the activity of threads is drawn.
type eventLogs struct{ *written }

// mostEvents is the maximum size in bytes of logs that are kept.
const mostEvents = 32 << 20

// Keep returns the logs.
func (l *eventLogs) Keep() (files []string, most int64) {
	paths, err := events.Files(l.dir)
	if err != nil {
		return nil, mostEvents
	}
	for _, path := range paths {
		files = append(files, filepath.Base(path))
	}
	return files, mostEvents
}

// countEvents counts the executions whose end a log contains: other probes make one record per execution. In a log
// of locks, an execution is one that held a lock; method calls may be logged too; they are not counted.
func countEvents(r io.ReadSeeker) (n int64, err error) {
	log := &events.Log{}
	var ended []int64 // executions, by method
	l, err := events.Scan(r, func(l *events.Log, e events.Event) error {
		if log = l; e.Kind == events.Exit || e.Kind == events.Thrown {
			ended = append(ended, make([]int64, max(0, e.Method+1-len(ended)))...)
			ended[e.Method]++
		}
		return nil
	})
	ofLocks := log.OfLocks()
	for method, executions := range ended {
		if !ofLocks || log.IsSection(method) {
			n += executions
		}
	}
	if err == nil && l.Beyond.Events > 0 {
		err = fmt.Errorf("%d of its events are of methods whose names are too many to keep", l.Beyond.Events)
	}
	if err == nil && !l.Whole {
		err = fmt.Errorf("it was cut off after %d events", l.Events)
	}
	return n, err
}

package receiver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"moobench/harness/proc"
	"moobench/refusal"
	"moobench/results/jfr"
)

var jfrKeys = []Key{
	{Name: "jfr", Type: Template, About: "pattern of the files of JDK Flight Recorder that are looked at, in {dir}: {dir}/*.jfr"},
	{Name: "event", Type: Text, About: "name of the events that are counted, such as jdk.ExecutionSample"},
	{Name: "most", Type: Text, About: "number in these events of which the largest is the count, such as invocations of jdk.MethodTiming, instead of how many there are"},
	{Name: "whole", Type: Flag, About: "a recording must last until the last measured call, or until the JVM begins to end: one that ended before was ended by somebody else"},
}

// recordings count events in the files of Flight Recorder.
type recordings struct {
	written
	event, most string
	whole       bool

	loopEnd   time.Time // zero: not known
	lastEnd   time.Time // of all recordings
	shutdown  bool      // one was there when the JVM began to end
	notes     bool      // whoever recorded notes that
	ownBytes  int64     // of the counted events
	lostBytes int64
}

func tellJFR(dir string, t Told) (Source, error) {
	pattern, err := inFolder(dir, t.the("jfr"))
	if err != nil {
		return nil, err
	}
	if t.the("event") == "" {
		return nil, refusal.New(errors.New("want the name of the events that are counted"), `event = "jdk.ExecutionSample"; jfr summary FILE shows which there are`)
	}
	r := &recordings{
		written: written{dir: dir, patterns: []string{pattern}, untimed: true},
		event:   t.the("event"), most: t.the("most"), whole: t.the("whole") != "",
	}
	r.count = countEach("read a recording", r.read)
	return r, nil
}

// read adds what a file holds.
func (r *recordings) read(file io.ReadSeeker) (int64, error) {
	seen, err := jfr.Count(file, r.event, r.most)
	if end := time.Unix(0, seen.EndNS); seen.Chunks > 0 && end.After(r.lastEnd) {
		r.lastEnd = end
	}
	r.shutdown, r.notes = r.shutdown || seen.Shutdown, r.notes || seen.NotesShutdown
	r.ownBytes += seen.Bytes
	r.lostBytes += seen.LostBytes
	if errors.Is(err, jfr.ErrCut) {
		err = fmt.Errorf("%w: it was still being written when the JVM ended, or the disk was full", err)
	}
	if r.most != "" {
		return seen.Most, err
	}
	return seen.Events, err
}

// Mark implements Source.
func (r *recordings) Mark(endNS int64) {
	r.loopEnd = time.Now().Add(-time.Duration(proc.MonotonicNS() - endNS))
}

// By how much a recording may end early. The clock by which it is stamped is another one than ours.
// A profiler that does not note how the JVM ends closes its file late in that, and the JVM has more to do.
const (
	recordingSlack = 100 * time.Millisecond
	profilerSlack  = time.Second
)

// early is by how much the last recording ended before the loop did, or before the program where that
// has no loop; nothing where it ended in time. A program may take long to shut down, and the recorder is
// among the first that do: a recording that was there when the JVM began to end was there to the end.
func (r *recordings) early() time.Duration {
	end, slack := r.lastEnd, recordingSlack
	if !r.notes {
		slack = profilerSlack
		if _, found, _, err := r.look(); err == nil && found.LastNS > 0 {
			end = later(end, time.Now().Add(-time.Duration(proc.MonotonicNS()-found.LastNS)))
		}
	}
	if early := r.loopEnd.Sub(end); early > slack && !r.shutdown {
		return early.Round(time.Millisecond)
	}
	return 0
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// Finish implements Source.
func (r *recordings) Finish(ctx context.Context) (Tally, error) {
	t, err := r.written.Finish(ctx)
	var remarks []string
	if t.RecordBytes = r.ownBytes; r.lostBytes > 0 {
		remarks = append(remarks, fmt.Sprintf("the recording says that Flight Recorder lost %d bytes of events, of whatever types", r.lostBytes))
	}
	switch early := r.early(); {
	case err != nil || r.loopEnd.IsZero():
	case r.lastEnd.IsZero():
		remarks = append(remarks, "no recording was written: it did not start, could not be written, or was thrown away; the JVM may say why in its output")
	case early > 0 && r.whole:
		err = fmt.Errorf("the recording ended %s before what was measured did: something in the JVM stopped it", early)
	case early > 0:
		remarks = append(remarks, fmt.Sprintf("the last recording ended %s before what was measured did: something in the JVM may have stopped it", early))
	}
	t.Missing = strings.Join(remarks, "; ")
	return t, err
}

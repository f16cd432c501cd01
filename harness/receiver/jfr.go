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
	{
		Name: "jfr", Type: Template,
		About: "pattern of the files of JDK Flight Recorder that are looked at, in {dir}: {dir}/*.jfr",
	},
	{Name: "event", Type: Text, About: "name of the events that are counted, such as jdk.ExecutionSample"},
	{
		Name: "most", Type: Text,
		About: "number in these events of which the largest is the count, such as invocations of jdk.MethodTiming, " +
			"instead of how many there are",
	},
	{
		Name: "whole", Type: Flag,
		About: "a recording must last until the last measured call, or until the JVM begins to end: " +
			"one that ended before was ended by somebody else",
	},
}

// recordings counts events in files of Flight Recorder.
type recordings struct {
	written
	event, most string
	whole       bool

	loopEnd   time.Time // zero: unknown
	lastEnd   time.Time // latest end of all recordings
	shutdown  bool      // a recording was running when the JVM began to shut down
	notes     bool      // the recorder logs the shutdown
	ownBytes  int64     // of the counted events
	lostBytes int64
}

func tellJFR(dir string, t Told) (Source, error) {
	pattern, err := inFolder(dir, t.the("jfr"))
	if err != nil {
		return nil, err
	}
	if t.the("event") == "" {
		return nil, refusal.New(errors.New("want the name of the events that are counted"),
			`event = "jdk.ExecutionSample"; jfr summary FILE shows which there are`)
	}
	r := &recordings{
		written: written{dir: dir, patterns: []string{pattern}, untimed: true},
		event:   t.the("event"), most: t.the("most"), whole: t.the("whole") != "",
	}
	r.count = countEach("read a recording", r.read)
	return r, nil
}

// read counts the events of a file.
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

// Tolerance for the early end of a recording, whose clock is not ours. A profiler that does not log the shutdown
// closes its file late in the shutdown, and the JVM has more to do after that.
const (
	recordingSlack = 100 * time.Millisecond
	profilerSlack  = time.Second
)

// early returns how long before the end of the loop the last recording ended, or before the end of the program if
// that has no loop; 0 if it ended in time. A program may take long to shut down, and the recorder shuts down among
// the first: a recording that was running when the shutdown began counts as complete.
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
		remarks = append(remarks, fmt.Sprintf("the recording says that Flight Recorder lost %d bytes of events, "+
			"of unknown types", r.lostBytes))
	}
	switch early := r.early(); {
	case err != nil || r.loopEnd.IsZero():
	case r.lastEnd.IsZero():
		remarks = append(remarks, "no recording was written: it did not start, could not be written, "+
			"or was thrown away; the JVM may say why in its output")
	case early > 0 && r.whole:
		err = fmt.Errorf("the recording ended %s before what was measured did: something in the JVM stopped it", early)
	case early > 0:
		remarks = append(remarks, fmt.Sprintf("the last recording ended %s before what was measured did: "+
			"something in the JVM may have stopped it", early))
	}
	t.Missing = strings.Join(remarks, "; ")
	return t, err
}

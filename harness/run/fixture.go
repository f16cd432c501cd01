package run

import (
	"context"
	"path/filepath"

	"moobench/harness/jvm"
	"moobench/results"
)

// Kinds of failure of a fixture that answered.
const (
	KindSwap   = "swap"   // a change that had no effect, or only a partial one
	KindCounts = "counts" // contradictory numbers
)

// Asker sends requests to a fixture. It keeps the first error and does nothing after that: answers are then empty,
// and numbers 0.
type Asker struct {
	Err     error
	ctx     context.Context
	subject Subject
}

// StartFixture starts a fixture, and returns its Asker, which works until ctx ends.
func StartFixture(ctx context.Context, s Subject) *Asker {
	return &Asker{Err: s.Start(ctx), ctx: ctx, subject: s}
}

// Attach attaches the variant's late agent.
func (a *Asker) Attach() {
	a.Do(func() error { return a.subject.Attach(a.ctx) })
}

// Lines sends a request, and returns the terminal line of its answer and the lines before it.
func (a *Asker) Lines(verb string, args map[string]string) (last jvm.Message, before []jvm.Message) {
	var answer []jvm.Message
	a.Do(func() (err error) {
		answer, err = a.subject.Ask(a.ctx, jvm.Message{Verb: verb, Args: args})
		return err
	})
	if a.Err != nil {
		return jvm.Message{}, nil
	}
	return answer[len(answer)-1], answer[:len(answer)-1]
}

// Last sends a request and returns the terminal line of its answer.
func (a *Asker) Last(verb string, args map[string]string) jvm.Message {
	last, _ := a.Lines(verb, args)
	return last
}

// Int returns a number that an answer must contain.
func (a *Asker) Int(answer jvm.Message, key string) (n int64) {
	a.Do(func() (err error) {
		n, err = answer.Int(key)
		return err
	})
	return n
}

// Do performs a step between two requests, unless there was an error.
func (a *Asker) Do(step func() error) {
	if a.Err == nil {
		a.Err = step()
	}
}

// Fail records an error in the fixture's behaviour or answers.
func (a *Asker) Fail(kind, format string, args ...any) {
	a.Do(func() error { return jvm.Failuref(kind, format, args...) })
}

// Measure opens the window, makes a fixture measure, and closes the window at the end given in the returned
// answer. It records the figures in every such answer: the loop's wall time, its threads' wait for a CPU, the CPU
// time of the threads and of the reference, and the number of records.
func Measure(ask *Asker, rec Recorder) jvm.Message {
	ask.Do(rec.Begin)
	m := ask.Last("measure", nil)
	end, begin := ask.Int(m, "end_ns"), ask.Int(m, "begin_ns")
	ask.Do(func() error { return rec.End(end) })
	rec.Scalar(LoopNS, float64(end-begin))
	if delay, err := m.Int("delay_ns"); err == nil && delay >= 0 {
		rec.Scalar(RunDelayNS, float64(delay))
	}
	if cpu, err := m.Int("cpu_ns"); err == nil && cpu >= 0 {
		rec.Scalar(threadsCPUNS, float64(cpu))
	}
	if reference, err := m.Int("reference_ns"); err == nil && reference > 0 {
		rec.Scalar(referenceNS, float64(reference))
	}
	if threads, err := m.Int("threads_ns"); err == nil && threads >= 0 {
		rec.Scalar(threadsLoopNS, float64(threads))
	}
	if n, err := m.Int("recorded"); err == nil {
		rec.Recorded(n)
	}
	return m
}

// Heap makes a fixture collect garbage, and records the heap left in use.
func Heap(ask *Asker, rec Recorder) {
	rec.Scalar(HeapAfterGC, float64(ask.Int(ask.Last("gc", nil), "heap_used_bytes")))
}

// Samples makes a fixture dump its samples, records them and returns them. In the resources profile it records the
// heap instead, in that of a proof nothing; it then returns nil, as after an error.
func Samples(ask *Asker, profile results.Profile, rec Recorder) []results.Series {
	switch profile {
	case results.ProfileProof:
		return nil
	case results.ProfileResources:
		Heap(ask, rec)
		return nil
	}
	all := Dump(ask)
	for _, s := range all {
		rec.Dumped(s)
	}
	return all
}

// Dump makes a fixture dump its series. It returns nil after an error.
func Dump(ask *Asker) []results.Series { return dumped(ask, "dump") }

// dumped returns the series that a fixture dumps when it is asked by this verb.
func dumped(ask *Asker, verb string) []results.Series {
	_, lines := ask.Lines(verb, nil)
	all := []results.Series{}
	for _, m := range lines {
		all = append(all, seriesOf(ask, m))
	}
	if ask.Err != nil {
		return nil
	}
	return all
}

// Columns reads the columns of a series that a fixture dumped into a folder, by name.
func Columns(ask *Asker, dir string, s results.Series) map[string][]int64 {
	named := map[string][]int64{}
	ask.Do(func() error {
		columns, err := results.ReadDump(filepath.Join(dir, s.Dump), s)
		for i, values := range columns {
			named[s.Columns[i].Name] = values
		}
		return err
	})
	return named
}

// seriesOf parses a fixture's description of a raw dump, a line of its answer to dump. An error is a *jvm.Failure.
func seriesOf(ask *Asker, m jvm.Message) results.Series {
	s := results.Series{Name: m.String("name"), Dump: m.String("file"), Thread: int(ask.Int(m, "thread"))}
	s.Count, s.Batch, s.Checksum = ask.Int(m, "count"), ask.Int(m, "batch"), m.String("crc32")
	var err error
	if s.Columns, err = results.ParseColumns(m.String("columns")); err != nil {
		ask.Fail(jvm.KindGarbage, "the fixture describes series %s wrongly: %w", s.Name, err)
	}
	return s
}

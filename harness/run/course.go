package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/proc"
	"moobench/results"
	"moobench/results/summary"
)

// mostRows is the largest number of rows of a course: a summary keeps as many one by one.
const mostRows = summary.MaxBatches

// course reads a subject's counters at regular intervals. It hardly disturbs the subject: a row needs two small files
// of each process, read on the CPUs that are not measured, and the subject itself does not take part. Rows take no more
// memory however long it goes on.
type course struct {
	every   time.Duration
	look    func() (jvm.Snapshot, error)
	beginNS int64
	columns [][]int64 // of results.ProcessColumns; the goroutine's until done
	cancel  context.CancelFunc
	done    chan struct{}
}

// newCourse starts a course that goes on until it is stopped, ctx ends, or the subject is gone.
func newCourse(
	ctx context.Context, every time.Duration, look func() (jvm.Snapshot, error), gone <-chan struct{},
) *course {
	c := &course{every: every, look: look, beginNS: proc.MonotonicNS(), done: make(chan struct{})}
	c.columns = make([][]int64, len(results.ProcessColumns()))
	for i := range c.columns {
		c.columns[i] = make([]int64, 0, mostRows)
	}
	ctx, c.cancel = context.WithCancel(ctx)
	go c.run(ctx, gone)
	return c
}

func (c *course) run(ctx context.Context, gone <-chan struct{}) {
	defer close(c.done)
	ticker := time.NewTicker(c.every)
	defer ticker.Stop()
	for {
		s, err := c.look()
		if err == nil && !math.IsNaN(s.RSSBytes) && c.add(s) { // one that has ended has no memory
			ticker.Reset(c.every)
		}
		select {
		case <-ctx.Done():
			return
		case <-gone:
			return
		case <-ticker.C:
		}
	}
}

// add adds a row. Where there is no room, every second row goes, and the interval doubles: it then returns true.
func (c *course) add(s jvm.Snapshot) (doubled bool) {
	if doubled = len(c.columns[0]) == mostRows; doubled {
		c.every *= 2
		for i, column := range c.columns {
			for k := range mostRows / 2 {
				column[k] = column[2*k]
			}
			c.columns[i] = column[:mostRows/2]
		}
	}
	for i, x := range []float64{float64(s.MonotonicNS - c.beginNS), s.RSSBytes, s.CPUNS, s.Threads, s.WrittenBytes} {
		if math.IsNaN(x) {
			x = -1
		}
		c.columns[i] = append(c.columns[i], int64(x))
	}
	return doubled
}

// stop ends the course, if there is one, and returns when it takes no more rows. It may be called again.
func (c *course) stop() {
	if c != nil {
		c.cancel()
		<-c.done
	}
}

// every returns the interval of the course; 0: there is none.
func (a *attempt) every() time.Duration {
	if a.inv.Profile != results.ProfileTiming {
		return 0
	}
	return time.Duration(a.inv.Cell.Int(results.CourseEvery))
}

// followJVM has a fixture begin with the course of its JVM.
func (a *attempt) followJVM() error {
	if a.every() == 0 || a.subject.vm == nil {
		return nil
	}
	ask := &Asker{ctx: a.ctx, subject: a.subject}
	ask.Last("follow", map[string]string{
		"every_ns": strconv.FormatInt(int64(a.every()), 10), "rows": strconv.Itoa(mostRows),
	})
	a.followed = ask.Err == nil
	return a.withoutRefusal(ask.Err)
}

// withoutRefusal turns a fixture's refusal into a warning: one that is older than the request has no course of its
// JVM, and is measured as ever.
func (a *attempt) withoutRefusal(err error) error {
	if f, ok := errors.AsType[*jvm.Failure](err); ok && f.Kind == jvm.KindRefused {
		a.Warn("the JVM's own counters over time are not known: %s", f.Message)
		return nil
	}
	return err
}

// follow begins the course of the process as soon as it is started.
func (a *attempt) follow() {
	begin := func() { a.course = newCourse(a.ctx, a.every(), a.subject.Glance, a.subject.Done()) }
	switch {
	case a.every() == 0:
	case a.subject.PID() != 0:
		begin()
	default:
		a.subject.started = begin
	}
}

// keepCourse records both courses.
func (a *attempt) keepCourse() error {
	if a.followed {
		ask := &Asker{ctx: a.ctx, subject: a.subject}
		for _, s := range dumped(ask, "followed") {
			a.Dumped(s)
		}
		if err := a.withoutRefusal(ask.Err); err != nil {
			return fmt.Errorf("reading the course of the JVM: %w", err)
		}
	}
	if a.course == nil || len(a.course.columns[0]) == 0 {
		return nil
	}
	series := results.Series{Name: results.SeriesProcess, Columns: results.ProcessColumns(), Batch: 1}
	return a.Rows(series, a.course.columns...)
}

package run

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// Rows are at one distance, from the first one on, however many were taken, and there are no more than fit.
func TestCourseHalves(t *testing.T) {
	const e = time.Second
	for _, c := range []struct {
		ticks, rows int
		every       time.Duration
		last        int64
	}{
		{1, 1, e, 0},
		{mostRows, mostRows, e, mostRows - 1},
		{mostRows + 1, mostRows/2 + 1, 2 * e, mostRows},
		{2*mostRows - 1, mostRows, 2 * e, 2*mostRows - 2},
		{2*mostRows + 1, mostRows/2 + 1, 4 * e, 2 * mostRows},
		{40*mostRows + 1, 64*mostRows/128 + 1 + 8*mostRows/64, 64 * e, 40 * mostRows},
	} {
		of := &course{every: e, columns: make([][]int64, 5)}
		for tick := 0; tick < c.ticks; tick += int(of.every / e) {
			before := of.every
			if doubled := of.add(jvm.Snapshot{MonotonicNS: int64(tick), RSSBytes: float64(10 * tick)}); doubled != (of.every > before) {
				t.Fatalf("tick %d: doubled %v, every %s", tick, doubled, of.every)
			}
		}
		since := of.columns[0]
		if len(since) != c.rows || since[0] != 0 || since[len(since)-1] != c.last || of.every != c.every {
			t.Errorf("%d ticks: %d rows to %d every %s, want %+v", c.ticks, len(since), since[len(since)-1], of.every, c)
		}
		for i := range since {
			if since[i] != int64(i)*int64(of.every/e) || of.columns[1][i] != 10*since[i] {
				t.Fatalf("%d ticks: row %d is at %d, with %d bytes", c.ticks, i, since[i], of.columns[1][i])
			}
		}
	}
}

func TestCourseRow(t *testing.T) {
	of := &course{beginNS: 100, columns: make([][]int64, 5)}
	of.add(jvm.Snapshot{MonotonicNS: 103, RSSBytes: 4096, CPUNS: 7, Threads: 2, WrittenBytes: 9})
	of.add(jvm.Snapshot{MonotonicNS: 105, RSSBytes: 8192, CPUNS: math.NaN(), Threads: math.NaN(), WrittenBytes: math.NaN()})
	if diff := cmp.Diff([][]int64{{3, 5}, {4096, 8192}, {7, -1}, {2, -1}, {9, -1}}, of.columns); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A course goes on while its subject can't be looked at, and ends when it is told to, when its time is over, or with its
// subject.
func TestCourseEnds(t *testing.T) {
	seen := []jvm.Snapshot{{RSSBytes: math.NaN()}, {MonotonicNS: 1}, {RSSBytes: 1}, {RSSBytes: 1}}
	for name, end := range map[string]func(c *course, over context.CancelFunc, gone chan struct{}){
		"stopped": func(c *course, _ context.CancelFunc, _ chan struct{}) { c.stop() },
		"timeout": func(_ *course, over context.CancelFunc, _ chan struct{}) { over() },
		"gone":    func(_ *course, _ context.CancelFunc, gone chan struct{}) { close(gone) },
	} {
		ctx, over := context.WithCancel(t.Context())
		gone, looks, next := make(chan struct{}), make(chan int), 0
		c := newCourse(ctx, time.Millisecond, func() (s jvm.Snapshot, err error) {
			if s = seen[min(next, len(seen)-1)]; next == 1 {
				err = errors.New("it can't be read")
			}
			next++
			select {
			case looks <- next:
			case <-ctx.Done():
			case <-gone:
			}
			return s, err
		}, gone)
		for range seen {
			<-looks
		}
		go func() {
			for range looks { // it may look once more before it sees that it is to end
			}
		}()
		end(c, over, gone)
		<-c.done
		close(looks)
		c.stop()
		over()
		if n := len(c.columns[0]); n < 2 || n > next-2 || n != len(c.columns[4]) {
			t.Errorf("%s: %d rows of %d looks, two of which saw nothing", name, n, next)
		}
	}
	(*course)(nil).stop()
}

// following is an attempt of a program with a course.
func following(t *testing.T, profile results.Profile, every string) *attempt {
	dir := t.TempDir()
	s := &subject{command: jvm.Command{Path: "/bin/sh", Args: []string{"-c", "sleep 0.3"}, Dir: dir, Output: outputName}}
	a := &attempt{dir: dir, subject: s, cpus: []int{0}, ctx: t.Context(), got: &results.Invocation{Scalars: map[string]float64{}}}
	a.inv = plan.Invocation{Profile: profile}
	a.inv.Cell.Parameters = []results.Value{{Name: results.CourseEvery, Value: every, Unit: "ns"}}
	return a
}

// The course of a program without anything of ours in it begins with its start, and is dumped at its end; other
// profiles than timing, and cells without the key, have none.
func TestCourseOfAProgram(t *testing.T) {
	for _, c := range []struct {
		profile results.Profile
		every   string
		want    bool
	}{
		{results.ProfileTiming, "1000000", true},
		{results.ProfileTiming, "0", false},
		{results.ProfileResources, "1000000", false},
	} {
		a := following(t, c.profile, c.every)
		if err := a.Begin(); err != nil {
			t.Fatal(err)
		}
		if a.course != nil {
			t.Error("a course before the start")
		}
		if err := a.subject.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		exit, err := a.subject.Wait(t.Context())
		if err == nil {
			err = a.End(exit.EndNS)
		}
		if err != nil {
			t.Fatal(err)
		}
		if (a.course != nil) != c.want || (len(a.got.Series) == 1) != c.want {
			t.Fatalf("%+v: course %v, series %+v", c, a.course, a.got.Series)
		}
		if !c.want {
			continue
		}
		s := a.got.Series[0]
		columns, err := results.ReadDump(filepath.Join(a.dir, s.Dump), s)
		if err != nil || s.Name != results.SeriesProcess || s.Count < 2 {
			t.Fatalf("%+v, %v", s, err)
		}
		rss, cpu, threads, written := columns[1], columns[2], columns[3], columns[4]
		if slices.Min(rss) <= 0 || slices.Max(cpu) <= 0 || slices.Min(threads) < 1 || slices.Min(written) < 0 ||
			!slices.IsSorted(columns[0]) || columns[0][0] < 0 {
			t.Errorf("rows %v", columns)
		}
	}
}

// A subject that is running already is followed at once.
func TestCourseOfARunningProgram(t *testing.T) {
	a := following(t, results.ProfileTiming, "1000000")
	if err := a.subject.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.Begin(); err != nil || a.course == nil {
		t.Fatalf("no course: %v", err)
	}
	a.subject.Kill()
	<-a.course.done
}

// A fixture that doesn't know the request is measured without the course of its JVM; any other failure counts.
func TestOlderFixtureIsNotFollowed(t *testing.T) {
	a := following(t, results.ProfileTiming, "1000000")
	if err := a.withoutRefusal(jvm.Failuref(jvm.KindRefused, "unknown request follow")); err != nil || len(a.got.Warnings) != 1 {
		t.Errorf("%v, warnings %q", err, a.got.Warnings)
	}
	if err := a.withoutRefusal(jvm.Failuref(jvm.KindDied, "it ended")); err == nil || len(a.got.Warnings) != 1 {
		t.Errorf("%v, warnings %q", err, a.got.Warnings)
	}
	if err := a.withoutRefusal(nil); err != nil {
		t.Error(err)
	}
}

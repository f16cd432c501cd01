package events

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
)

// mostWaiting is the largest number of events that may wait for earlier ones: as many as the agent holds in 256
// MiB of memory, four times its default.
const mostWaiting = 1 << 24

// InOrder is Scan, but passes on the events of all threads in order of time. A thread may be stopped between
// reading the clock and writing to the log, so that its event comes after others with later times. A log is
// refused if more events than an agent can hold in memory wait for a mark that all earlier ones have been
// passed on.
func InOrder(r io.Reader, each func(l *Log, e Event) error) (*Log, error) {
	return (&queue{each: each, most: mostWaiting}).read(r)
}

// queue holds the events that wait for others with earlier times.
type queue struct {
	each    func(l *Log, e Event) error
	most    int
	log     *Log
	waiting []waiting
}

// waiting is an event in compact form.
type waiting struct {
	ns     int64
	what   uint64 // as stored in the file
	thread int32
	place  uint32 // position in the queue, which keeps the order within a thread
}

func (q *queue) read(r io.Reader) (*Log, error) {
	log, err := follow(r, q.add, q.turn)
	if err == nil {
		err = q.turn(math.MaxInt64)
	}
	if err != nil {
		return nil, err
	}
	return log, nil
}

func (q *queue) add(l *Log, e Event) error {
	if len(q.waiting) >= q.most {
		return fmt.Errorf("it does not say of %d events whether those before them are there; "+
			"an agent has room for that many in %d MiB",
			len(q.waiting), len(q.waiting)*eventBytes>>20)
	}
	q.log = l
	q.waiting = append(q.waiting, waiting{e.TimeNS, e.what(), int32(e.Thread), uint32(len(q.waiting))})
	return nil
}

// turn passes on the events before a time.
func (q *queue) turn(before int64) error {
	slices.SortFunc(q.waiting, func(a, b waiting) int {
		return cmp.Or(cmp.Compare(a.ns, b.ns), cmp.Compare(a.place, b.place))
	})
	n := 0
	for ; n < len(q.waiting) && q.waiting[n].ns < before; n++ {
		w := q.waiting[n]
		if err := q.each(q.log, eventOf(w.ns, w.what, int(w.thread))); err != nil {
			return err
		}
	}
	q.waiting = q.waiting[:copy(q.waiting, q.waiting[n:])]
	for i := range q.waiting {
		q.waiting[i].place = uint32(i)
	}
	return nil
}

package events

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
)

// mostWaiting is how many events may wait for the others before them: what the agent has room for in
// 256 MiB of memory, four times that which it takes when it isn't told otherwise.
const mostWaiting = 1 << 24

// InOrder is Scan, but hands on the events of all threads in the order of their times. A
// thread may have been stopped between a look at the clock and the log: then its event comes
// late, after others with later times. A log that holds more events than an agent can have had in
// memory, and does not say that those before them are there, is refused.
func InOrder(r io.Reader, each func(l *Log, e Event) error) (*Log, error) {
	return (&queue{each: each, most: mostWaiting}).read(r)
}

// queue are the events that wait for others with earlier times.
type queue struct {
	each    func(l *Log, e Event) error
	most    int
	log     *Log
	waiting []waiting
}

// waiting is an event in as little memory as it takes.
type waiting struct {
	ns     int64
	what   uint64 // as it stands in the file
	thread int32
	place  uint32 // in the queue: those of one thread stay in their order
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
		return fmt.Errorf("it does not say of %d events whether those before them are there; an agent has room for that many in %d MiB",
			len(q.waiting), len(q.waiting)*eventBytes>>20)
	}
	q.log = l
	q.waiting = append(q.waiting, waiting{e.TimeNS, e.what(), int32(e.Thread), uint32(len(q.waiting))})
	return nil
}

// turn hands on what lies before a time.
func (q *queue) turn(before int64) error {
	slices.SortFunc(q.waiting, func(a, b waiting) int { return cmp.Or(cmp.Compare(a.ns, b.ns), cmp.Compare(a.place, b.place)) })
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

package load

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// grace is the time after the end of the load in which an open loop may still send a request that was due before
// the end, so that a late wake-up leaves none unsent.
const grace = 10 * time.Millisecond

// Run sends a load, then waits for requests in flight at its end, at most for the timeout. It returns an error if
// the load can't be sent (listing all its faults at once) or if we ourselves ran out of ports or files. If ctx
// ends, it promptly returns ctx's error.
func Run(ctx context.Context, l Load) (*Result, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("preparing a load: %w", err)
	}
	requests, asides, err := l.prepare(ctx)
	if err != nil {
		return nil, fmt.Errorf("preparing a load: %w", err)
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	s := &sender{Load: l, ctx: ctx, fail: fail, requests: requests, asides: asides}
	r := s.run()
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("sending a load: %w", err)
	}
	return r, nil
}

// sender sends one load.
type sender struct {
	Load
	ctx              context.Context
	fail             context.CancelCauseFunc // ends the load when we ourselves can't go on
	requests, asides []prepared

	clock                  clock
	beginNS, holdNS, endNS int64
	lastNS                 int64 // nothing is sent from then on

	underWay, waited atomic.Int64

	mu    sync.Mutex // guards wrong
	wrong []WrongAnswer
}

// run sends the load; it returns nil if the context has ended.
func (s *sender) run() *Result {
	s.clock = newClock()
	send, late := s.closed, time.Duration(0)
	if s.Arrival != Closed {
		due := schedule(s.Load)
		send, late = func() []Sample { return s.open(due) }, grace
	}
	s.beginNS = s.clock.now()
	s.holdNS = s.beginNS + int64(s.Ramp)
	s.endNS = s.holdNS + int64(s.Hold)
	s.lastNS = s.endNS + int64(late)

	var senders sync.WaitGroup
	apart := make([][]Sample, len(s.asides))
	for i := range s.asides {
		senders.Go(func() { apart[i] = s.aside(i) })
	}
	var samples []Sample
	senders.Go(func() { samples = send() })
	busyCPUs := s.watch()
	senders.Wait()
	if s.ctx.Err() != nil {
		return nil
	}
	return s.result(samples, slices.Concat(apart...), busyCPUs)
}

// closed runs a closed loop of clients, and returns when all have ended.
func (s *sender) closed() []Sample {
	logs := make([]log, s.Clients)
	var clients sync.WaitGroup
	for i := range logs {
		clients.Go(func() {
			c, a := s.client(), s.alarm()
			defer c.close()
			defer a.close()
			draw := newDraw(s.Load, i)
			due := s.beginNS + int64(float64(s.Ramp)*float64(i)/float64(s.Clients))
			for due < s.endNS && a.until(due) {
				sample := Sample{intendedNS: due, request: draw.next()}
				if !s.transact(c, &s.requests[sample.request], &sample) {
					return
				}
				logs[i].add(sample)
				due = sample.DoneNS + int64(s.Think)
				if sample.Outcome == Refused {
					due = sample.DoneNS + int64(max(s.Think, refusedPause))
				}
			}
		})
	}
	clients.Wait()
	all := slices.Concat(slices.Concat(logs...)...)
	slices.SortStableFunc(all, byDue)
	return all
}

// log holds the samples of one client in chunks, so that none is copied during the load.
type log [][]Sample

func (l *log) add(s Sample) {
	const chunk = 1024
	last := len(*l) - 1
	if last < 0 || len((*l)[last]) == chunk {
		*l, last = append(*l, make([]Sample, 0, chunk)), last+1
	}
	(*l)[last] = append((*l)[last], s)
}

// byDue compares due times.
func byDue(a, b Sample) int { return cmp.Compare(a.intendedNS, b.intendedNS) }

// open hands each due request to a free client, the one idle longest first, so that no connection stays idle.
func (s *sender) open(due []Sample) []Sample {
	for i := range due {
		due[i].intendedNS += s.beginNS
	}
	free := make(chan *Sample)
	var clients sync.WaitGroup
	for range s.Clients {
		clients.Go(func() {
			c := s.client()
			defer c.close()
			for sample := range free {
				s.transact(c, &s.requests[sample.request], sample)
			}
		})
	}
	defer clients.Wait()
	defer close(free)
	a := s.alarm()
	defer a.close()
	end := time.NewTimer(time.Duration(s.endNS - s.clock.now()))
	defer end.Stop()
	for i := range due { // requests still waiting when the load ends are left unsent
		if !a.until(due[i].intendedNS) {
			return due
		}
		select {
		case free <- &due[i]:
			continue
		default:
		}
		if s.underWay.Load() >= int64(s.Clients) {
			s.waited.Add(1)
		}
		select {
		case free <- &due[i]:
		case <-end.C:
			return due
		case <-s.ctx.Done():
			return due
		}
	}
	return due
}

// aside sends one of the asides at its intervals.
func (s *sender) aside(i int) (all []Sample) {
	c, a := s.client(), s.alarm()
	defer c.close()
	defer a.close()
	every := int64(s.Aside[i].Every)
	for due := s.beginNS + every; due < s.endNS && a.until(due); due += every {
		sample := Sample{intendedNS: due, request: int32(i)}
		if !s.send(c, &s.asides[i], &sample) {
			break
		}
		all = append(all, sample)
	}
	return all
}

// transact sends a request of the load, and counts it as in flight meanwhile.
func (s *sender) transact(c *client, p *prepared, to *Sample) bool {
	s.underWay.Add(1)
	defer s.underWay.Add(-1)
	return s.send(c, p, to)
}

// send sends a request and records its outcome. It returns false once the load has ended, and then sends nothing.
func (s *sender) send(c *client, p *prepared, to *Sample) bool {
	sent := s.clock.now()
	if sent >= s.lastNS || s.ctx.Err() != nil {
		return false
	}
	to.SentNS = sent
	s.judge(c, p, c.ask(p), to)
	return s.ctx.Err() == nil
}

func (s *sender) client() *client {
	return &client{ctx: s.ctx, timeout: s.Timeout, now: s.clock.now, in: bufio.NewReader(nil)}
}

package receiver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"sync"
	"time"

	"moobench/harness/peer"
	"moobench/harness/proc"
	"moobench/refusal"
)

// usualEvery, the default interval between requests, is much shorter than in production: otherwise runs of some
// seconds would see no request at all. leastEvery keeps the requests from becoming a load test of the agent.
const (
	usualEvery = time.Second
	leastEvery = 10 * time.Millisecond
)

var scrapesKeys = []Key{
	{
		Name: "scrape", Type: Template,
		About: "URL on this machine that is asked again and again while the program runs, " +
			"as those do who watch it; {port} is as in http. A record is an answer",
	},
	{
		Name: "every", Type: Text,
		About: "time from an answer to the next question, such as 100ms; by default 1s",
	},
	{Name: "holds", Type: Text, About: "regular expression that each answer must match: others don't count"},
}

// scrapes queries the subject repeatedly while it runs. A record is an answer with the required text. Unanswered
// questions followed by an answered one count as missing.
type scrapes struct {
	url      string
	holds    *regexp.Regexp
	every    time.Duration
	arrivals *arrivals
	client   http.Client
	asking   sync.WaitGroup
	stop     context.CancelFunc

	// Owned by the asking goroutine until that has ended.
	bytes          int64
	asked, missing int
	unanswered     int   // consecutive ones since the last answer
	last           error // of an unanswered question
	body           bytes.Buffer
}

func tellScrapes(_ string, t Told) (Source, error) {
	s := &scrapes{url: t.the("scrape"), every: usualEvery, arrivals: newArrivals(), client: fromHere(), stop: func() {}}
	if text := t.the("every"); text != "" {
		var err error
		if s.every, err = time.ParseDuration(text); err != nil || s.every < leastEvery {
			return nil, refusal.New(fmt.Errorf("every is %q, want a time of at least %v", text, leastEvery),
				`such as every = "1s"`)
		}
	}
	if t.the("holds") == "" {
		return nil, refusal.New(fmt.Errorf("want what an answer of %s holds", s.url),
			`such as holds = "jvm_memory_used_bytes"`)
	}
	var err error
	if s.holds, err = regexp.Compile(t.the("holds")); err != nil {
		return nil, refusal.New(err, "between single quotes, a backslash stands for itself")
	}
	return s, peer.CheckURL(s.url)
}

// begin implements beginner.
func (s *scrapes) begin(ctx context.Context) {
	ctx, s.stop = context.WithCancel(ctx)
	s.asking.Go(func() {
		for {
			s.ask(ctx)
			pause := s.every
			if s.asked == 0 {
				pause = min(pause, scrapePause)
			}
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return
			}
		}
	})
}

// ask asks once. Until the first answer, the agent may not be listening yet.
func (s *scrapes) ask(ctx context.Context) {
	err := s.once(ctx)
	switch {
	case ctx.Err() != nil: // shutting down: the answer is irrelevant
	case err != nil:
		s.last = err
		if s.asked > 0 {
			s.asked++
			s.unanswered++
		}
	default:
		s.asked++
		s.missing += s.unanswered
		s.unanswered = 0
		s.arrivals.add(proc.MonotonicNS(), 1)
	}
}

func (s *scrapes) once(ctx context.Context) error {
	answer, err := get(ctx, &s.client, s.url)
	if err != nil {
		return err
	}
	defer answer.Close()
	s.body.Reset()
	n, err := s.body.ReadFrom(io.LimitReader(answer, scrapeMost))
	s.bytes += n
	if err == nil && !s.holds.Match(s.body.Bytes()) {
		err = fmt.Errorf("its answer, %.60q, does not hold %q", s.body.Bytes(), s.holds)
	}
	return err
}

// Ask implements Asker: if the loop was too short for any answer, it asks now.
func (s *scrapes) Ask(ctx context.Context) error {
	s.end()
	if s.asked == 0 {
		s.ask(ctx)
	}
	return nil
}

// Vars implements Source.
func (s *scrapes) Vars() map[string]string { return nil }

// Mark implements Source: after the loop, asking stops.
func (s *scrapes) Mark(endNS int64) {
	s.end()
	s.missing += s.unanswered
	s.unanswered = 0
	s.arrivals.Mark(endNS)
}

// Finish implements Source.
func (s *scrapes) Finish(context.Context) (Tally, error) {
	s.end()
	t := s.arrivals.snapshot()
	t.Bytes = s.bytes
	if t.Records == 0 {
		why := cmp.Or(s.last, errors.New("it did not run for as long as an answer takes"))
		return t, fmt.Errorf("asking %s while the program ran: %w", s.url, why)
	}
	if s.missing > 0 {
		t.Missing = fmt.Sprintf("%d of %d questions to %s were not answered: %v", s.missing, s.asked, s.url, s.last)
	}
	return t, nil
}

// Close implements Source.
func (s *scrapes) Close() error {
	s.end()
	return nil
}

func (s *scrapes) end() {
	s.stop()
	s.asking.Wait()
}

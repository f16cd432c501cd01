package load

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
)

const (
	// wrongKept is how many wrong answers are kept, and wrongBytes how much of each body.
	wrongKept  = 10
	wrongBytes = 200
)

// judge decides what became of a request, given its answer.
func (s *sender) judge(c *client, p *prepared, a answer, to *Sample) {
	if hint, is := ownFault(a.err); is {
		s.fail(fmt.Errorf("request %s: %w: %s", p.name, a.err, hint))
	}
	to.DoneNS, to.Outcome = a.doneNS, a.outcome
	late := s.LateAfter > 0 && to.LatencyNS() > int64(s.LateAfter)
	switch {
	case a.outcome == Wrong:
		s.mu.Lock()
		if len(s.wrong) < wrongKept {
			body := string(c.body.Next(wrongBytes))
			s.wrong = append(s.wrong, WrongAnswer{AtNS: a.doneNS, Request: p.name, Status: a.status, Body: body, Why: a.err.Error()})
		}
		s.mu.Unlock()
	case a.outcome == Right && (late || a.doneNS > s.endNS):
		to.Outcome = Late
	}
}

// check returns why an answer is not the expected one, or nil.
func (e Expect) check(status int, body []byte) error {
	switch {
	case e.Status == 0 && status/100 != 2:
		return fmt.Errorf("status %d, expected 200 to 299", status)
	case e.Status != 0 && status != e.Status:
		return fmt.Errorf("status %d, expected %d", status, e.Status)
	case e.Body != nil && !bytes.Equal(body, e.Body):
		return fmt.Errorf("the body is not %s", extract(e.Body))
	case e.Pattern != nil && !e.Pattern.Match(body):
		return fmt.Errorf("the body does not match %s", strings.TrimPrefix(e.Pattern.String(), "(?m)"))
	}
	return nil
}

// extract is the beginning of a body in one line.
func extract(body []byte) string {
	text := strings.Join(strings.Fields(string(body[:min(len(body), wrongBytes)])), " ")
	if len(body) > wrongBytes {
		text += " …"
	}
	return cmp.Or(text, "empty")
}

// Once sends each request of a load once, and returns an error that says of the first
// wrong answer what was expected and what came. What is not answered, or too late, is no
// wrong answer.
func Once(ctx context.Context, l Load) error {
	requests, _, err := l.prepare(ctx)
	if err != nil {
		return fmt.Errorf("preparing a load: %w", err)
	}
	c := &client{ctx: ctx, timeout: l.Timeout, now: newClock().now, in: bufio.NewReader(nil)}
	defer c.close()
	for i := range requests {
		p := &requests[i]
		if a := c.ask(p); a.outcome == Wrong {
			return fmt.Errorf("%s: %w; it was %s", p.name, a.err, extract(c.body.Bytes()))
		}
	}
	return context.Cause(ctx)
}

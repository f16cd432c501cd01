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
	// wrongKept is the maximum number of wrong answers kept, and wrongBytes the length kept of each body.
	wrongKept  = 10
	wrongBytes = 200
)

// judge determines the outcome of a request from its answer.
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
			s.wrong = append(s.wrong, WrongAnswer{
				AtNS: a.doneNS, Request: p.name, Status: a.status, Body: body, Why: a.err.Error(),
			})
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

// extract returns the beginning of a body on one line.
func extract(body []byte) string {
	text := strings.Join(strings.Fields(string(body[:min(len(body), wrongBytes)])), " ")
	if len(body) > wrongBytes {
		text += " …"
	}
	return cmp.Or(text, "empty")
}

// Once sends each request of a load once. For the first wrong answer it returns an error that states the expected
// and the actual one. A missing or late answer is not a wrong one.
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

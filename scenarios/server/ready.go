package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/proc"
)

const (
	askEvery = 10 * time.Millisecond // between two requests
	askFor   = 10 * time.Second      // until one request is given up: an agent may make the first answer slow
)

var errTooLong = errors.New("it took too long")

// ready asks url, each time on a connection of its own, until the answer is a 2xx. It
// returns when that came, on CLOCK_MONOTONIC, and the number of answers of any status.
func ready(ctx context.Context, url string, within time.Duration) (atNS, answers int64, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, within, errTooLong)
	defer cancel()
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true}, // and no proxy
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       askFor,
	}
	tick := time.Tick(askEvery)
	last := "it was not asked"
	for {
		var answer *http.Response
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
		if err == nil {
			answer, err = client.Do(request)
		}
		if err == nil {
			err = answer.Body.Close()
		}
		atNS = proc.MonotonicNS()
		switch {
		case err == nil && answer.StatusCode/100 == 2:
			return atNS, answers + 1, nil
		case err == nil:
			answers++
			last = fmt.Sprintf("its last answer had status %d", answer.StatusCode)
		case ctx.Err() == nil:
			last = err.Error()
		}
		select {
		case <-tick:
		case <-ctx.Done():
		}
		switch cause := context.Cause(ctx); {
		case errors.Is(cause, errTooLong):
			return 0, answers, jvm.Failuref(jvm.KindStart, "the server was not ready %s after it was started: no 2xx from %s (%s); does ready in [server] name what it serves? If it only needs longer, raise within", within, url, last)
		case cause != nil:
			return 0, answers, cause
		}
	}
}

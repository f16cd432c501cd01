package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/proc"
)

const (
	askEvery = 10 * time.Millisecond // between two requests
	askFor   = 10 * time.Second      // until one request is given up: an agent may make the first answer slow
	// A server that is up and does not know the URL will not learn it: after this many 404s
	// in a row, counted no closer than this, it is not waited for. What is still being
	// deployed may be one for a moment.
	mostUnknown  = 10
	unknownEvery = 300 * time.Millisecond
	saidBytes    = 200 // of what it says then
)

var errTooLong = errors.New("it took too long")

// ready asks url, each time on a connection of its own, until the answer is a 2xx. It
// returns when that came, on CLOCK_MONOTONIC, and the number of answers of any status. A
// server that goes on answering 404 is not waited for.
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
	unknown, unknownNS := 0, int64(0) // 404s in a row, and when the last one was counted
	for {
		var answer *http.Response
		var said []byte
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
		if err == nil {
			answer, err = client.Do(request)
		}
		if err == nil {
			if answer.StatusCode == http.StatusNotFound {
				said, _ = io.ReadAll(io.LimitReader(answer.Body, saidBytes))
			}
			err = answer.Body.Close()
		}
		atNS = proc.MonotonicNS()
		if err == nil && answer.StatusCode != http.StatusNotFound {
			unknown = 0
		} else if err == nil && atNS-unknownNS >= int64(unknownEvery) {
			unknown, unknownNS = unknown+1, atNS
		}
		switch {
		case err == nil && answer.StatusCode/100 == 2:
			return atNS, answers + 1, nil
		case err == nil:
			answers++
			if unknown == mostUnknown {
				return 0, answers, jvm.Failuref(jvm.KindStart, "the server is up and answered 404 to %s %d times in a row, at last with %q; does ready in [server] name what it serves?", url, mostUnknown, said)
			}
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

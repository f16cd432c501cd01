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

// readiness is the result of waiting until a server is ready.
type readiness struct {
	atNS    int64 // CLOCK_MONOTONIC of the answer that says so
	answers int64 // of any status, that one included
}

var errTooLong = errors.New("it took too long")

// ready asks url, each time on a connection of its own, until the answer is a 2xx.
func ready(ctx context.Context, url string, within time.Duration) (readiness, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, within, errTooLong)
	defer cancel()
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true}, // and no proxy
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       askFor,
	}
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	var r readiness
	last := "it was not asked"
	for {
		status, err := ask(ctx, client, url)
		r.atNS = proc.MonotonicNS()
		switch {
		case err == nil && status/100 == 2:
			r.answers++
			return r, nil
		case err == nil:
			r.answers++
			last = fmt.Sprintf("its last answer had status %d", status)
		case ctx.Err() == nil:
			last = err.Error()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
		switch cause := context.Cause(ctx); {
		case errors.Is(cause, errTooLong):
			return r, jvm.Failuref(jvm.KindStart, "the server was not ready %s after it was started: no 2xx from %s (%s); does ready in [server] name what it serves? If it only needs longer, raise within", within, url, last)
		case cause != nil:
			return r, cause
		}
	}
}

func ask(ctx context.Context, client *http.Client, url string) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

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
	askFor   = 10 * time.Second      // until one request is given up: an agent may delay the first answer
	// A server that is up and does not know the URL will not learn it: it is given up after this many 404s in a
	// row, counted at least unknownEvery apart. A deployment in progress may answer 404 for a moment.
	mostUnknown  = 10
	unknownEvery = 300 * time.Millisecond
	saidBytes    = 200 // of the body of a 404
)

// errTooLong says that no good answer came in time.
var errTooLong = errors.New("it was not ready in time")

// unknown counts 404s in a row; atNS is the time of the last one counted.
type unknown struct {
	times int
	atNS  int64
}

// ready polls url, each time on a new connection, until the answer is a 2xx. It returns its time, on
// CLOCK_MONOTONIC, and the number of answers of any status. A server that keeps answering 404, also before this
// call, is given up.
func ready(ctx context.Context, url string, within time.Duration, u *unknown) (atNS, answers int64, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, within, errTooLong)
	defer cancel()
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true}, // and no proxy
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       askFor,
	}
	tick := time.Tick(askEvery)
	last := "it was not tried"
	for {
		status, said, err := ask(ctx, client, url)
		atNS = proc.MonotonicNS()
		switch {
		case err == nil && status/100 == 2:
			return atNS, answers + 1, nil
		case err == nil:
			answers++
			last = fmt.Sprintf("its last answer had status %d", status)
		case ctx.Err() == nil:
			last = err.Error()
		}
		if status != http.StatusNotFound {
			if ctx.Err() == nil { // otherwise the request was cut short
				u.times = 0
			}
		} else if atNS-u.atNS >= int64(unknownEvery) {
			u.times, u.atNS = u.times+1, atNS
		}
		if u.times == mostUnknown {
			return 0, answers, jvm.Failuref(jvm.KindStart,
				"the server is up and answered 404 to %s %d times in a row, at last with %q; "+
					"does ready in [server] name what it serves (moobench cost: --ready)?", url, mostUnknown, said)
		}
		select {
		case <-tick:
		case <-ctx.Done():
		}
		switch cause := context.Cause(ctx); {
		case errors.Is(cause, errTooLong):
			return 0, answers, fmt.Errorf("%w: no 2xx from %s (%s)", errTooLong, url, last)
		case cause != nil:
			return 0, answers, cause
		}
	}
}

// ask returns the status of one answer, 0 without an answer, and the body of a 404.
func ask(ctx context.Context, client *http.Client, url string) (status int, said []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0, nil, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	if answer.StatusCode == http.StatusNotFound {
		said, _ = io.ReadAll(io.LimitReader(answer.Body, saidBytes))
	}
	return answer.StatusCode, said, answer.Body.Close()
}

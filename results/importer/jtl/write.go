package jtl

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"moobench/refusal"
	"moobench/results"
)

// Written summarises the output of Write.
type Written struct {
	Requests int64
	// Exact is half the width of the range of possible times of day. The requests' clock is the kernel's
	// monotonic one; its relation to the time of day is known only from the fact that all requests lie between
	// the start and the end of their invocation. timeStamp is the middle of the possible range. Differences
	// between times of an invocation don't depend on it.
	Exact time.Duration
}

// Write writes the requests of invocations as a JTL in CSV, one invocation after the other and in order of
// sending within each. Rows are sorted in files, so that memory does not grow with their number.
//
// elapsed is the time from sending to the last byte, as JMeter's is: the column service, rounded to
// milliseconds, and not latency, which starts when a request was due. success is true for right and for late
// answers. threadName is the identity of the invocation. Latency and Connect are 0 unless the campaign was
// imported with them; bytes, sentBytes, grpThreads, allThreads and IdleTime are always 0; dataType is empty and
// URL null.
func Write(w io.Writer, s *results.Store, invocations []*results.Invocation) (Written, error) {
	return write(w, s, invocations, runRows)
}

func write(w io.Writer, s *results.Store, invocations []*results.Invocation, most int) (Written, error) {
	var done Written
	out := csv.NewWriter(w) // it keeps the first error
	out.Write(header)
	for _, inv := range invocations {
		if err := done.add(out, s, inv, most); err != nil {
			return done, err
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return done, fmt.Errorf("writing JTL: %w", err)
	}
	return done, nil
}

// add writes the requests of an invocation.
func (done *Written) add(out *csv.Writer, s *results.Store, inv *results.Invocation, most int) error {
	sorted := &sorter{most: most}
	defer func() {
		for _, f := range sorted.runs {
			f.Close()
		}
	}()
	c := clock{inv: inv}
	labels, err := addRows(s, inv, sorted, &c)
	if err != nil {
		return err
	}
	offset, exact := c.offset()
	done.Exact = max(done.Exact, exact)
	return sorted.each(func(r row) {
		done.Requests++
		outcome := "" // unknown: JMeter shows it as failed
		if i := r[rowOutcome]; i >= 0 && i < int64(len(results.Outcomes)) {
			outcome = results.Outcomes[i]
		}
		request := "request " + strconv.FormatInt(r[rowRequest], 10)
		if names, i := labels[r[rowLabels]], r[rowRequest]; i >= 0 && i < int64(len(names)) && names[i] != "" {
			request = refusal.OneLine(names[i]) // JMeter's readers take each line for a record
		}
		words, stamp := wording[outcome], time.Unix(0, r[rowSent]+offset).UnixMilli()
		out.Write([]string{
			strconv.FormatInt(stamp, 10), milliseconds(r[rowTook]), request, words.code, words.message,
			inv.Identity.String(), "", strconv.FormatBool(outcome == right || outcome == late), words.failure,
			"0", "0", "0", "0", "null", milliseconds(r[rowFirstByte]), "0", milliseconds(r[rowConnect]),
		})
	})
}

// clock relates the clock of the requests of an invocation to the time of day.
type clock struct {
	inv         *results.Invocation
	first, last int64 // ns of the requests' clock
	any         bool
}

func (c *clock) add(r row) {
	end := r[rowSent] + r[rowTook]
	if !c.any {
		c.first, c.last, c.any = r[rowSent], end, true
	}
	c.first, c.last = min(c.first, r[rowSent]), max(c.last, end)
}

// offset returns the difference between times since 1970 and the requests' clock, and half the width of the
// range in which it lies.
func (c *clock) offset() (ns int64, exact time.Duration) {
	low, high := c.inv.Start.UnixNano()-c.first, c.inv.End.UnixNano()-c.last
	if high < low {
		// The load took longer than its invocation: the wall clock was set.
		return low, time.Duration(low - high)
	}
	return low + (high-low)/2, time.Duration(high-low) / 2
}

func milliseconds(ns int64) string {
	return strconv.FormatInt(time.Duration(ns).Round(time.Millisecond).Milliseconds(), 10)
}

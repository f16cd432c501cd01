package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"moobench/harness/config"
	"moobench/harness/jvm"
	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/harness/proc"
	"moobench/harness/run"
	"moobench/refusal"
	"moobench/results"
	"moobench/scenarios/serving"
)

// Drive starts the server, waits until it is ready, puts the load on it and, if asked
// for, searches the load that it takes within a limit.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	t := trial{Settings: serving.SettingsOf(&inv.Cell.Cell, inv.Block), inv: inv, server: inv.Cell.Program.On(inv.Port), subject: s, rec: rec}
	startNS := proc.MonotonicNS()
	if err := s.Start(ctx); err != nil {
		return err
	}
	alive, cancel := serving.WhileAlive(ctx, s)
	defer cancel()
	readyNS, answers, err := ready(alive, t.server.Ready, t.server.Within)
	if err != nil {
		return t.died(alive, err)
	}
	if err := t.answering(); err != nil {
		return t.died(alive, err)
	}
	if inv.Profile == run.Rehearsal {
		if err = load.Once(alive, t.load()); err != nil && context.Cause(alive) == nil {
			return refusal.New(err,
				"correct status, expect or match of this [[server.request]], or the server: else all of its answers would be lost")
		}
		return t.died(alive, err)
	}
	rec.Scalar(startup, float64(readyNS-startNS))
	return t.died(alive, t.alive(alive, answers))
}

// trial is one invocation while its server lives.
type trial struct {
	serving.Settings
	inv     plan.Invocation
	server  config.Server
	subject run.Subject
	rec     run.Recorder
}

// load is what is sent to the server.
func (t trial) load() load.Load {
	l := t.Load
	l.Requests = results.Each(t.server.Requests, request)
	return l
}

// answering makes sure that what said that it is ready is of what was started. A request may
// go elsewhere, to a proxy in front of the server; that is said, since its costs are in no
// number.
func (t trial) answering() error {
	first := portOf(t.server.Ready)
	if err := t.subject.Answering(first); err != nil {
		return err
	}
	asked := map[int]bool{first: true}
	for _, q := range t.server.Requests {
		port := portOf(q.URL)
		if asked[port] {
			continue
		}
		asked[port] = true
		if err := t.subject.Answering(port); err != nil {
			t.rec.Warn("%s: %v", q.Name, err)
		}
	}
	return nil
}

// portOf is the port of a URL.
func portOf(address string) int {
	u, err := url.Parse(address)
	if err != nil {
		return 0 // it was read before
	}
	if port, err := strconv.Atoi(u.Port()); err == nil {
		return port
	}
	if u.Scheme == "https" {
		return 443
	}
	return 80
}

// alive puts the load on a server that is ready and has given this many answers so far.
func (t trial) alive(ctx context.Context, answers int64) error {
	l := t.load()
	if t.inv.Profile == results.ProfileProof {
		l.Ramp, l.Hold = min(l.Ramp, proofRamp), min(l.Hold, proofHold)
	}
	r, err := serving.Put(ctx, l, t.subject, t.rec, t.LagBound)
	if err != nil {
		return err
	}
	if end, err := t.subject.Snapshot(); err == nil {
		t.rec.Scalar(rss, end.RSSBytes)
	}
	// From the latency by the second it is derived when the load has settled. Over 1,000
	// seconds its steps are longer, and settling is found to one of these.
	rows := r.Timeline(time.Second)
	if since, p99 := rows[0], rows[4]; len(since) > 0 {
		held := make([]int64, len(since))
		for i, ns := range since {
			if ns >= r.HoldNS-r.BeginNS {
				held[i] = 1
			}
		}
		err := t.rec.Rows(results.Series{Name: results.SeriesSeconds, Columns: results.SecondsColumns(), Batch: 1}, since, p99, held)
		if err != nil {
			return err
		}
	}
	cell := &t.inv.Cell
	if limit := limitOf(&cell.Cell); limit > 0 && t.inv.Profile == results.ProfileResources {
		return search(ctx, l, limit, t.SearchStep, r, t.rec)
	}
	// Where the user says how many records each request makes, that many must arrive for
	// every request that reached the server, also if its answer did not reach us.
	if perRequest := cell.Int(recordsPerRequest); perRequest > 0 && cell.Proof.Kind == results.ProofCount {
		all, _ := r.Counts()
		t.rec.Expected(perRequest * (answers + all.Total() - all[load.Refused] - r.Own.Unsent))
	}
	return nil
}

// died replaces err by the server's end, if that is what happened. A failure without one
// gets the end of the server's log.
func (t trial) died(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, serving.ErrDied):
		exit, waitErr := t.subject.Wait(context.WithoutCancel(ctx))
		if waitErr != nil {
			return waitErr
		}
		err = &jvm.Failure{Kind: jvm.KindDied, Message: obituary(exit)}
	case cause != nil:
		err = cause
	}
	f, is := errors.AsType[*jvm.Failure](err)
	if !is || f.Tail != "" {
		return err
	}
	with := *f
	for _, log := range []string{t.subject.Log(), t.subject.Output()} { // its standard error first
		if with.Tail = jvm.Tail(log); with.Tail != "" {
			with.Message += "; see " + log
			break
		}
	}
	return &with
}

func obituary(exit jvm.Exit) string {
	if exit.Status == "0" {
		return "the server ended (exit status 0): it must stay in the foreground until it is asked to end"
	}
	return "the server died (" + run.EndOf(exit) + ")"
}

// proofRamp and proofHold bound a run that only shows whether records arrive.
const proofRamp, proofHold = time.Second, 3 * time.Second

func request(q config.Request) load.Request {
	header := http.Header{}
	for _, h := range q.Headers {
		name, value, _ := strings.Cut(h, ":")
		header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	out := load.Request{
		Name: q.Name, Method: q.Method, URL: q.URL, Header: header, Weight: q.Weight,
		Expect: load.Expect{Status: q.Status, Pattern: q.Pattern},
	}
	if q.Body != "" {
		out.Body = []byte(q.Body)
	}
	if q.Expect != nil {
		out.Expect.Body = []byte(*q.Expect)
	}
	return out
}

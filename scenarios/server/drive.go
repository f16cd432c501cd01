package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
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

// Drive starts the server, waits until it is ready, puts the load on it and, on request, searches the highest
// load within a limit.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	t := trial{
		Settings: serving.SettingsOf(&inv.Cell.Cell, inv.Block), inv: inv,
		server: inv.Cell.Program.On(inv.Port), subject: s, rec: rec,
	}
	startNS := proc.MonotonicNS()
	if err := s.Start(ctx); err != nil {
		return err
	}
	alive, cancel := serving.WhileAlive(ctx, s)
	defer cancel()
	readyNS, answers, err := t.wait(alive, startNS)
	if errors.Is(err, errWorking) {
		return nil
	}
	if err != nil {
		return t.died(alive, err)
	}
	if err := t.answering(); err != nil {
		return t.died(alive, err)
	}
	rec.Scalar(startup, float64(readyNS-startNS))
	if inv.Profile == run.Rehearsal {
		if err = load.Once(alive, t.load()); err != nil && context.Cause(alive) == nil {
			return refusal.New(err,
				"correct status, expect or match of this [[server.request]] (moobench cost: --expect), "+
					"or the server: else all of its answers would be lost")
		}
		if err == nil {
			err = t.bears(alive)
		}
		return t.died(alive, err)
	}
	return t.died(alive, t.alive(alive, answers))
}

// errWorking says that the server was not up at the end of the wait, but still working on it.
var errWorking = errors.New("it is on its way up")

const (
	// waitSteps is the number of steps of the wait for a server. It is still working if it used at least
	// leastWork of a CPU in the last one.
	waitSteps = 4
	leastWork = 0.05
)

// wait waits until the server is up. If it is late but still working, its start-up time is longer than the
// wait: for a variant that is a result, and wait returns errWorking.
func (t trial) wait(ctx context.Context, startNS int64) (atNS, answers int64, err error) {
	within := cmp.Or(t.inv.Within, t.server.Limit(0))
	used, u := math.NaN(), new(unknown)
	for step := range waitSteps {
		used = t.cpuNS()
		var n int64
		left := within*time.Duration(step+1)/waitSteps - time.Duration(proc.MonotonicNS()-startNS)
		atNS, n, err = ready(ctx, t.server.Ready, max(left, time.Millisecond), u)
		answers += n
		if !errors.Is(err, errTooLong) {
			return atNS, answers, err
		}
	}
	works := t.cpuNS()-used >= leastWork*float64(within)/waitSteps
	if !works || t.inv.Cell.Role != results.RoleVariant || t.inv.Profile != results.ProfileTiming {
		return 0, answers, jvm.Failuref(jvm.KindStart, "the server was not up %s after it was started: %w; "+
			"does ready in [server] name what it serves (moobench cost: --ready)? "+
			"If it only needs longer, raise within in [server] (moobench cost: --within)", within, err)
	}
	t.rec.AtLeast(startup, float64(within))
	t.rec.Void(serving.Timed, "it was not up %s after its start", within)
	t.rec.Warn("it was not up %s after its start, and still worked on it: "+
		"how long it takes is known to be more than that; "+
		"raise within in [server] to know more (moobench cost: --within)", within)
	return 0, answers, errWorking
}

// cpuNS returns the CPU time that the server has used so far, NaN if it is unknown.
func (t trial) cpuNS() float64 {
	s, err := t.subject.Snapshot()
	if err != nil {
		return math.NaN()
	}
	return s.CPUNS
}

// Load for finding the server's rough capacity: enough clients to keep it busy, each waiting for its answer.
const (
	bearsClients = 16
	bearsFor     = 3 * time.Second // once for warm-up, and once counted
)

// bears finds roughly how many requests per second the server can answer; its code is not warm yet.
func (t trial) bears(ctx context.Context) error {
	l := t.load()
	l.Arrival, l.Clients, l.Think, l.Aside = load.Closed, min(l.Clients, bearsClients), 0, nil
	l.Ramp, l.Hold = min(l.Ramp, bearsFor), min(l.Hold, bearsFor)
	r, err := load.Run(ctx, l)
	if err != nil {
		return fmt.Errorf("trying what it handles: %w", err)
	}
	t.rec.Scalar(run.CapacityScalar, serving.Answered(r))
	return nil
}

// trial is one invocation while its server lives.
type trial struct {
	serving.Settings
	inv     plan.Invocation
	server  config.Server
	subject run.Subject
	rec     run.Recorder
}

// load returns the load for the server.
func (t trial) load() load.Load {
	l := t.Load
	l.Requests = results.Each(t.server.Requests, request)
	return l
}

// answering checks that the process that answers the ready URL is the one that was started. Other requests may
// go elsewhere, such as a proxy in front of the server; that is a warning, since its costs are in no number.
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

// portOf returns the port of a URL.
func portOf(address string) int {
	u, err := url.Parse(address)
	if err != nil {
		return 0 // it was parsed before
	}
	if port, err := strconv.Atoi(u.Port()); err == nil {
		return port
	}
	if u.Scheme == "https" {
		return 443
	}
	return 80
}

// alive puts the load on a server that is ready and has given answers answers so far.
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
	if why := serving.NotBorne(l, r); why != "" && t.inv.Cell.Role != results.RoleVariant {
		t.rec.Void(serving.Timed, "%s", why)
	} else if why != "" {
		t.rec.Warn("%s", why)
	}
	// The latency by the second shows when the load has settled. Beyond 1,000 seconds the steps are longer, and
	// so coarser.
	rows := r.Timeline(time.Second)
	if since, p99 := rows[0], rows[4]; len(since) > 0 {
		held := make([]int64, len(since))
		for i, ns := range since {
			if ns >= r.HoldNS-r.BeginNS {
				held[i] = 1
			}
		}
		series := results.Series{Name: results.SeriesSeconds, Columns: results.SecondsColumns(), Batch: 1}
		err := t.rec.Rows(series, since, p99, held)
		if err != nil {
			return err
		}
	}
	cell := &t.inv.Cell
	if limit := limitOf(&cell.Cell); limit > 0 && t.inv.Profile == results.ProfileResources {
		return search(ctx, l, limit, t.SearchStep, r, t.rec)
	}
	// If the user states the records per request, that many must arrive for every request that reached the
	// server, even if its answer did not reach us.
	if perRequest := cell.Int(recordsPerRequest); perRequest > 0 && cell.Proof.Kind == results.ProofCount {
		all, _ := r.Counts()
		t.rec.Expected(perRequest * (answers + all.Total() - all[load.Refused] - r.Own.Unsent))
	}
	return nil
}

// died replaces err by the server's end, if it ended. A failure without a log tail gets the end of the server's
// log.
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

// proofRamp and proofHold limit a run that only shows whether records arrive.
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

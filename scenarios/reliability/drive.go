package reliability

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/changes"
	"moobench/scenarios/serving"
)

// body is the right answer to every request.
const body = "This is the response"

// Load of an invocation that only proves that its variant instruments.
const (
	proofHold    = time.Second
	proofClients = 8
	proofRate    = 200 // 1/s
)

// driver drives one invocation.
type driver struct {
	settings
	inv     plan.Invocation
	ask     *run.Asker
	subject run.Subject
	rec     run.Recorder
	pattern string // pattern that is put in and taken out, "" if nothing is
	url     string // of the server
}

// Drive sends requests to a server while its monitoring is toggled, and counts the answers.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	d := &driver{
		settings: settingsOf(&inv.Cell.Cell, inv.Block), inv: inv,
		ask: run.StartFixture(ctx, s), subject: s, rec: rec,
	}
	if err := d.setUp(); err != nil {
		return err
	}
	alive, cancel := serving.WhileAlive(ctx, s)
	defer cancel()
	if inv.Profile == results.ProfileCalibration {
		return d.died(d.search(alive))
	}
	r, err := d.send(alive)
	if err != nil {
		return d.died(err)
	}
	did, saw := waitSettled(d.ask, settleWithin)
	all, _ := r.Counts()
	d.ask.Do(func() error { return did.all(int64(all[load.Right])) })
	made := dumped(d.ask, rec.Dir())
	d.ask.Do(func() error { return d.toggles(r, made) })
	d.ask.Do(func() error { return prove(&inv.Cell, d.pattern, did, saw, rec) })
	if inv.Profile == results.ProfileResources {
		run.Heap(d.ask, rec)
	}
	return d.ask.Err
}

// setUp starts the server. A probe that is not toggled is put in for good. The toggled pattern is the one of
// the variant's own activation, or the target's own method if the probe is compiled in and can be switched. A
// probe that is measured while it is off stays off.
func (d *driver) setUp() (err error) {
	c := &d.inv.Cell
	if d.pattern, _, err = d.inv.Swaps(); err != nil {
		return err
	}
	if d.pattern == "" && changes.HasSwapper(c.Recipe.Args) && c.Recipe.Proof.Kind != results.ProofZero {
		d.pattern = "+ " + d.inv.Vars()["signature"]
	}
	args := map[string]string{
		"target": c.Launch.Target, server: d.server, "pool": c.Parameter(workers), monitored: c.Parameter(monitored), toggle: d.pattern,
		"depth": "1", "method_time": "0", "busy_wait": "lazy",
	}
	port := d.ask.Int(d.ask.Last("setup", args), "port")
	d.url = "http://127.0.0.1:" + strconv.FormatInt(port, 10) + "/"
	d.ask.Attach()
	if d.inv.Profile == results.ProfileProof || d.inv.Profile == results.ProfileCalibration {
		d.toggle = 0
	}
	if d.pattern == "" || d.toggle > 0 {
		return d.ask.Err
	}
	// Probes that are switched by a flag or a list report no methods, so that zero methods are not a failure.
	answer := d.ask.Last("activate", map[string]string{"pattern": d.pattern})
	if failed, err := answer.Int("failed"); err == nil && failed > 0 {
		return jvm.Failuref(run.KindSwap, "activate %q failed for %d classes: its log says why", d.pattern, failed)
	}
	return d.ask.Err
}

// send puts the load on the server.
func (d *driver) send(ctx context.Context) (*load.Result, error) {
	l, bound := d.load(), d.LagBound
	if d.toggle > 0 {
		l.Aside = []load.Aside{{Every: d.toggle, Request: d.request(http.MethodPost)}}
	}
	if d.inv.Profile == results.ProfileProof {
		bound = math.MaxInt64 // no number of it counts
	}
	return serving.Put(ctx, l, d.subject, d.rec, bound)
}

func (d *driver) request(method string) load.Request {
	expect := load.Expect{Status: http.StatusOK, Body: []byte(body)}
	return load.Request{Name: method, Method: method, URL: d.url, Expect: expect}
}

// load returns the load: a share of the baseline's capacity, if that is known.
func (d *driver) load() load.Load {
	l := d.Load
	l.Requests = []load.Request{d.request(http.MethodGet)}
	if d.inv.Profile == results.ProfileProof {
		l.Ramp, l.Hold, l.Clients, l.Rate = 0, proofHold, min(l.Clients, proofClients), min(l.Rate, proofRate)
	} else if d.inv.Capacity > 0 {
		scale(&l, d.inv.Capacity*float64(d.share)/100)
	}
	return l
}

// scale sets the height of a load: the number of clients in a closed loop, else requests per second.
func scale(l *load.Load, to float64) {
	if l.Arrival == load.Closed {
		l.Clients = max(1, int(math.Round(to)))
		return
	}
	l.Rate = to
}

// toggles checks that every toggle was executed, and records when.
func (d *driver) toggles(r *load.Result, t toggles) error {
	wrong := 0
	for _, a := range r.Asides {
		if a.Outcome.Lost() {
			wrong++
		}
	}
	if wrong > 0 {
		d.rec.Warn("%d of %d requests to toggle were lost; they are not among the transactions", wrong, len(r.Asides))
	}
	if d.pattern == "" {
		d.rec.Scalar(toggleCount, 0)
		return nil
	}
	if n := len(t.asked); n < len(r.Asides)-wrong {
		return jvm.Failuref(run.KindSwap,
			"%d toggles were ordered, and the server did %d: it lies, or is not done", len(r.Asides), n)
	}
	return t.report(d.rec, r.BeginNS)
}

// died replaces an error by the reason for the fixture's end, if the fixture reports one.
func (d *driver) died(err error) error {
	if !errors.Is(err, serving.ErrDied) {
		return err
	}
	d.ask.Last("counts", nil)
	return cmp.Or(d.ask.Err, err)
}

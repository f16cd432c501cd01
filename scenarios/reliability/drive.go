package reliability

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// body is the right answer to any request.
const body = "This is the response"

// kindSwap is the failure of a change that changed nothing, or not all that it
// should have.
const kindSwap = "swap"

// The load of an invocation that only proves that its variant instruments.
const (
	proofHold    = time.Second
	proofClients = 8
	proofRate    = 200 // 1/s
)

// driver drives one invocation.
type driver struct {
	ctx     context.Context
	inv     plan.Invocation
	fixture run.Fixture
	rec     run.Recorder
	pattern string // what is put in and taken out, "" if nothing is
	url     string // of the server
}

// Drive has a server serve, sends it requests while what is monitored in it is
// toggled, and counts what comes back.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	fixture, ok := s.(run.Fixture)
	if !ok {
		return fmt.Errorf("the reliability scenario needs a fixture, and %s is none", inv.Cell.Parameter("fixture"))
	}
	d := &driver{ctx: ctx, inv: inv, fixture: fixture, rec: rec}
	if err := fixture.Start(ctx); err != nil {
		return err
	}
	if err := d.setUp(); err != nil {
		return err
	}
	if inv.Profile == results.ProfileCalibration {
		return d.died(d.search())
	}
	r, err := d.send()
	if err != nil {
		return d.died(err)
	}
	if err := d.account(r); err != nil {
		return err
	}
	if inv.Profile == results.ProfileResources {
		return run.Heap(d.ask, rec)
	}
	return nil
}

func (d *driver) ask(verb string, args map[string]string) ([]jvm.Message, error) {
	return d.fixture.Ask(d.ctx, jvm.Message{Verb: verb, Args: args})
}

// setUp has the server begin to serve, and the probe put in for good where
// nothing toggles it.
func (d *driver) setUp() error {
	var err error
	if d.pattern, err = toggled(d.inv); err != nil {
		return err
	}
	c := &d.inv.Cell
	args := map[string]string{"target": c.Launch.Target, server: c.Parameter(server), "pool": c.Parameter(workers), monitored: c.Parameter(monitored)}
	if d.pattern != "" {
		args[toggle] = d.pattern
	}
	answer, err := d.ask("setup", args)
	if err != nil {
		return err
	}
	port, err := answer[len(answer)-1].Int("port")
	if err != nil {
		return err
	}
	d.url = "http://127.0.0.1:" + strconv.FormatInt(port, 10) + "/"
	if err := d.fixture.Attach(d.ctx); err != nil {
		return err
	}
	if d.pattern == "" || d.every() > 0 {
		return nil
	}
	return d.putIn()
}

// every is how often the probe is toggled, 0 is never.
func (d *driver) every() time.Duration {
	if d.inv.Profile == results.ProfileProof || d.inv.Profile == results.ProfileCalibration {
		return 0
	}
	return time.Duration(d.inv.Cell.Int(toggle))
}

// putIn has the probe put in. What can be switched by a flag or a list tells of
// no methods, so that none is no failure.
func (d *driver) putIn() error {
	answer, err := d.ask("activate", map[string]string{"pattern": d.pattern})
	if err != nil {
		return err
	}
	if failed, err := answer[len(answer)-1].Int("failed"); err == nil && failed > 0 {
		return &jvm.Failure{Kind: kindSwap, Message: fmt.Sprintf("activate %q failed for %d classes: its log says why", d.pattern, failed)}
	}
	return nil
}

// swapperArg names who switches a probe that is compiled in.
const swapperArg = "-Dmoobench.swapper="

// toggled is the pattern that is put in and taken out, "" where the variant has
// nothing that could be: that of its own activation, or the target's own method
// where the probe is compiled in and can be switched. One whose being switched off
// is measured stays so.
func toggled(inv plan.Invocation) (string, error) {
	v := inv.Cell.Variant
	if v.Activate != "" {
		return inv.Activate()
	}
	switched := slices.ContainsFunc(v.Args, func(a string) bool { return strings.HasPrefix(a, swapperArg) })
	if !switched || v.Proof.Kind == results.ProofZero {
		return "", nil
	}
	return "+ " + inv.Vars()["signature"], nil
}

// send puts the load on the server.
func (d *driver) send() (*load.Result, error) {
	l := d.load()
	if every := d.every(); every > 0 {
		l.Aside = []load.Aside{{Every: every, Request: d.request(http.MethodPost)}}
	}
	bound := time.Duration(d.inv.Cell.Int(LagBound))
	if d.inv.Profile == results.ProfileProof {
		bound = math.MaxInt64 // nothing of it is a number
	}
	return Put(d.ctx, l, d.fixture, d.rec, bound)
}

func (d *driver) request(method string) load.Request {
	return load.Request{Name: method, Method: method, URL: d.url, Expect: load.Expect{Status: http.StatusOK, Body: []byte(body)}}
}

// load is what is sent: a share of what the baseline takes where that is known.
func (d *driver) load() load.Load {
	l := LoadOf(d.inv)
	l.Requests = []load.Request{d.request(http.MethodGet)}
	if d.inv.Profile == results.ProfileProof {
		l.Ramp, l.Hold, l.Clients, l.Rate = 0, proofHold, min(l.Clients, proofClients), min(l.Rate, proofRate)
		return l
	}
	if d.inv.Capacity > 0 {
		scale(&l, d.inv.Capacity*float64(d.inv.Cell.Int(share))/100)
	}
	return l
}

// scale makes a load so high: clients that wait for their answers, else requests
// per second.
func scale(l *load.Load, to float64) {
	if l.Arrival == load.Closed {
		l.Clients = max(1, int(math.Round(to)))
		return
	}
	l.Rate = to
}

// account takes down what the server, its toggles and the probe say after the
// load.
func (d *driver) account(r *load.Result) error {
	s, p, err := settled(d.ask, settleWithin)
	if err != nil {
		return err
	}
	t, err := dumped(d.ask, d.rec.Dir())
	if err != nil {
		return err
	}
	if err := d.toggles(r, t); err != nil {
		return err
	}
	return prove(&d.inv.Cell, d.pattern, s, p, d.rec)
}

// toggles checks that every order to toggle was obeyed, and records when.
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
		d.rec.Scalar(Toggles, 0)
		return nil
	}
	if n := len(t.asked); n < len(r.Asides)-wrong {
		return &jvm.Failure{Kind: kindSwap, Message: fmt.Sprintf("%d toggles were ordered, and the server did %d: it lies, or is not done", len(r.Asides), n)}
	}
	return t.report(d.rec, r.BeginNS)
}

// died explains an error by the end of the fixture, which knows how it died.
func (d *driver) died(err error) error {
	if !errors.Is(err, ErrDied) {
		return err
	}
	if _, lastWords := d.ask("counts", nil); lastWords != nil {
		return lastWords
	}
	return err
}

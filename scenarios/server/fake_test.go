package server

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moobench/harness/config"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// subject is a real process: this test binary, as a server with a fault.
type subject struct {
	run.Subject // never asked: it is not a fixture
	fault, dir  string
	port        int
	script      string // starts the server, "$0"; "": nothing stands before it
	p           *jvm.Process
}

// portsGiven counts the ports that subjects of this process have been given.
var portsGiven atomic.Int32

// freePort returns a port that nothing listens on. It is below those that Linux gives to clients: one of the many
// connections of the tests beside this one would take a port that was only just let go.
func freePort(t *testing.T) int {
	t.Helper()
	const first, most = 20_000, 10_000
	for range most {
		port := first + (os.Getpid()+int(portsGiven.Add(1)))%most
		ln, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			continue
		}
		if err := ln.Close(); err != nil {
			t.Fatal(err)
		}
		return port
	}
	t.Fatalf("each of %d ports from %d on is taken", most, first)
	return 0
}

func newSubject(t *testing.T, fault string) *subject {
	t.Helper()
	s := &subject{fault: fault, dir: t.TempDir(), port: freePort(t)}
	t.Cleanup(func() {
		if s.p != nil {
			s.p.Kill()
			nothingLeft(t, s)
		}
	})
	return s
}

func (s *subject) Start(ctx context.Context) (err error) {
	c := jvm.Command{
		Path: os.Args[0], Dir: s.dir, Output: "stdout.log",
		Env: []string{faultName + "=" + s.fault, portName + "=" + strconv.Itoa(s.port)},
	}
	if s.script != "" {
		c.Path, c.Args = "/bin/sh", []string{"-c", s.script, os.Args[0]}
	}
	s.p, err = jvm.StartProcess(ctx, c)
	return err
}

func (s *subject) Stop(ctx context.Context) error {
	_, err := s.p.Stop(ctx)
	return err
}

func (s *subject) Wait(ctx context.Context) (jvm.Exit, error) { return s.p.Wait(ctx) }
func (s *subject) Snapshot() (jvm.Snapshot, error)            { return s.p.Snapshot() }
func (s *subject) Answering(port int) error                   { _, err := s.p.Answering(port); return err }
func (s *subject) PID() int                                   { return s.p.PID() }
func (s *subject) Done() <-chan struct{}                      { return s.p.Done() }
func (s *subject) Log() string                                { return s.dir + "/" + jvm.LogName }
func (s *subject) Output() string                             { return s.dir + "/stdout.log" }

// recorder remembers what it was told.
type recorder struct {
	dir      string
	scalars  map[string]float64
	series   map[string][][]int64
	warnings []string // without their arguments
	args     [][]any  // of the warnings
	void     string
	atLeast  map[string]float64
	expected int64
	endNS    int64
}

func (r *recorder) Begin() error                             { return nil }
func (r *recorder) End(endNS int64) error                    { r.endNS = endNS; return nil }
func (r *recorder) Dumped(results.Series)                    {}
func (r *recorder) Scalar(name string, value float64)        { r.scalars[name] = value }
func (r *recorder) Printed(*results.Output)                  {}
func (r *recorder) AtLeast(name string, x float64)           { r.atLeast = map[string]float64{name: x} }
func (r *recorder) Recorded(int64)                           {}
func (*recorder) Arrived() []int64                           { return nil }
func (r *recorder) Expected(n int64)                         { r.expected = n }
func (r *recorder) Invalid(format string, args ...any)       { r.void = format }
func (r *recorder) Void(_ []string, format string, _ ...any) { r.void = format }
func (r *recorder) Dir() string                              { return r.dir }
func (r *recorder) Rows(s results.Series, columns ...[]int64) error {
	if r.series == nil {
		r.series = map[string][][]int64{}
	}
	r.series[s.Name] = columns
	return nil
}

func (r *recorder) Warn(format string, args ...any) {
	r.warnings = append(r.warnings, format)
	r.args = append(r.args, args)
}

// warned says whether a warning begins like this.
func (r *recorder) warned(begin string) bool {
	return slices.ContainsFunc(r.warnings, func(w string) bool { return strings.HasPrefix(w, begin) })
}

const clients = 4

func ns(d time.Duration) string { return strconv.FormatInt(int64(d), 10) }

// invocation is one of a server on a port, with parameters other than those that
// suit a test.
func invocation(port int, other map[string]string) plan.Invocation {
	values := map[string]string{
		"arrival": "closed", "clients": strconv.Itoa(clients), "rate": "1000", "ramp": "0", "hold": ns(time.Second), "think": ns(time.Millisecond),
		"lost_after": ns(3 * time.Second), "late_after": ns(stall / 2), "lag_bound": ns(time.Minute),
		"p99_limit": "0", "search_step": ns(time.Second), "records_per_request": "0",
	}
	for name, v := range other {
		values[name] = v
	}
	c := plan.Cell{Cell: results.Cell{ID: "c01", Proof: results.ProofPlan{Kind: results.ProofCount}}}
	for name, v := range values {
		c.Parameters = append(c.Parameters, results.Value{Name: name, Value: v})
	}
	body := rightBody
	c.Program = &config.Program{Server: config.Server{
		Ready: "http://127.0.0.1:{port}/ready", Within: 5 * time.Second,
		Requests: []config.Request{{Name: "GET /", Method: "GET", URL: "http://127.0.0.1:{port}/", Status: 200, Weight: 1, Expect: &body}},
	}}
	c.Resources = 1
	return plan.Invocation{Cell: c, Profile: results.ProfileTiming, Port: port}
}

// drive drives a server with a fault, and ends it as the runner does.
func drive(t *testing.T, fault string, other map[string]string) (*recorder, error) {
	t.Helper()
	s := newSubject(t, fault)
	rec := &recorder{scalars: map[string]float64{}, dir: s.dir}
	err := Scenario{}.Drive(t.Context(), invocation(s.port, other), s, rec)
	if err == nil {
		err = s.Stop(t.Context())
	}
	return rec, err
}

// failure is what failed of the subject, nil where nothing did.
func failure(err error) *jvm.Failure {
	var f *jvm.Failure
	if errors.As(err, &f) {
		return f
	}
	return nil
}

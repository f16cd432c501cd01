package reliability

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/serving"
)

// fake is a fixture that serves by a handler of the test, and the recorder of
// its invocation.
type fake struct {
	run.Recorder
	t       *testing.T
	dir     string
	done    chan struct{} // closed when it dies
	port    int
	handler func(n int64, w http.ResponseWriter, r *http.Request) // n counts the GETs from 1

	gets, posts atomic.Int64
	elsewhere   int64         // GETs that the server does not know of
	entered     func() probed // nil: nobody counts
	toggles     [][4]int64    // asked, took, on, failed; nil: one for each POST
	refuse      map[string]string

	asked    []string
	series   map[string][][]int64
	scalars  map[string]float64
	warnings []string
	void     string
	expected int64
	recorded int64
}

// fakeServer starts a server on a port of its own. A nil handler answers rightly.
func fakeServer(t *testing.T, handler func(n int64, w http.ResponseWriter, r *http.Request)) *fake {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{t: t, dir: t.TempDir(), handler: handler, port: listener.Addr().(*net.TCPAddr).Port, scalars: map[string]float64{}, series: map[string][][]int64{}}
	s := &http.Server{Handler: f}
	go s.Serve(listener)
	t.Cleanup(func() { s.Close() })
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		f.posts.Add(1)
		fmt.Fprint(w, body)
		return
	}
	n := f.gets.Add(1)
	if f.handler == nil {
		fmt.Fprint(w, body)
		return
	}
	f.handler(n, w, r)
}

func (f *fake) Start(context.Context) error  { f.asked = append(f.asked, "start"); return nil }
func (f *fake) Attach(context.Context) error { f.asked = append(f.asked, "attach"); return nil }
func (f *fake) Stop(context.Context) error   { return nil }
func (f *fake) PID() int                     { return 0 }
func (f *fake) Answering(int) error          { return nil }
func (f *fake) Done() <-chan struct{}        { return f.done }
func (f *fake) Log() string                  { return "" }
func (f *fake) Output() string               { return "" }

func (f *fake) Wait(context.Context) (jvm.Exit, error) { return jvm.Exit{}, nil }

func (f *fake) Snapshot() (jvm.Snapshot, error) {
	return jvm.Snapshot{}, errors.New("nobody looks at it")
}

func (f *fake) Ask(_ context.Context, m jvm.Message) ([]jvm.Message, error) {
	if n := len(f.asked); n == 0 || f.asked[n-1] != m.Line() {
		f.asked = append(f.asked, m.Line())
	}
	if line := f.refuse[m.Verb]; line != "" {
		return nil, &jvm.Failure{Kind: jvm.KindRefused, Message: line}
	}
	args := map[string]string{}
	switch m.Verb {
	case "setup":
		args["port"] = strconv.Itoa(f.port)
	case "counts":
		gets := fmt.Sprint(f.gets.Load() - f.elsewhere)
		args["gets"], args["posts"], args["monitored_calls"] = gets, fmt.Sprint(f.posts.Load()), gets
	case "records":
		if f.entered != nil {
			p := f.entered()
			args["entered"], args["exited"], args["recorded"] = fmt.Sprint(p.entered), fmt.Sprint(p.exited), fmt.Sprint(p.recorded)
		}
	case "activate":
		args["failed"] = "0"
	case "gc":
		args["heap_used_bytes"] = "4096"
	case "dump":
		return f.dump()
	}
	return []jvm.Message{{Verb: "done", Args: args}}, nil
}

func (f *fake) dump() ([]jvm.Message, error) {
	rows := f.toggles
	for n := range f.posts.Load() {
		if f.toggles == nil {
			rows = append(rows, [4]int64{n, 1000 * (n + 1), (n + 1) % 2, 0})
		}
	}
	columns := make([][]int64, 4)
	for i := range columns {
		columns[i] = make([]int64, len(rows))
		for j, row := range rows {
			columns[i][j] = row[i]
		}
	}
	described, err := results.ParseColumns("asked:ns:instant,took:ns:duration,on:1:count,failed:1:count")
	if err != nil {
		return nil, err
	}
	file, err := os.Create(filepath.Join(f.dir, "toggle.0.i64"))
	if err != nil {
		return nil, err
	}
	err = results.WriteDump(file, results.Series{Name: "toggle", Columns: described, Batch: 1}, columns...)
	return []jvm.Message{{Verb: "series", Args: map[string]string{
		"name": "toggle", "thread": "0", "columns": results.FormatColumns(described), "count": fmt.Sprint(len(rows)), "batch": "1", "file": "toggle.0.i64",
	}}, {Verb: "dumped"}}, errors.Join(err, file.Close())
}

func (f *fake) Begin() error                      { f.asked = append(f.asked, "begin"); return nil }
func (f *fake) End(int64) error                   { f.asked = append(f.asked, "end"); return nil }
func (f *fake) Scalar(name string, value float64) { f.scalars[name] = value }
func (f *fake) Expected(n int64)                  { f.expected = n }
func (f *fake) Printed(*results.Output)           {}
func (f *fake) AtLeast(string, float64)           {}
func (f *fake) Recorded(n int64)                  { f.recorded = n }
func (f *fake) Dir() string                       { return f.dir }

func (f *fake) Invalid(format string, args ...any) { f.void = fmt.Sprintf(format, args...) }

func (f *fake) Void(_ []string, format string, args ...any) { f.void = fmt.Sprintf(format, args...) }

func (f *fake) Warn(format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
}

func (f *fake) Rows(s results.Series, columns ...[]int64) error {
	if len(columns) != len(s.Columns) {
		f.t.Errorf("series %s: %d columns of values for %d columns", s.Name, len(columns), len(s.Columns))
	}
	f.series[s.Name] = columns
	return nil
}

// rows is how many rows a series has.
func (f *fake) rows(series string) int64 {
	if len(f.series[series]) == 0 {
		return 0
	}
	return int64(len(f.series[series][0]))
}

// invocation is one of a variant with these parameters, over defaults that make
// a short load.
func invocation(v framework.Variant, given ...string) plan.Invocation {
	values := map[string]string{
		"arrival": "closed", serving.Clients: "4", serving.Rate: "1000", "ramp": ns(50 * time.Millisecond), "hold": ns(300 * time.Millisecond), "think": "0",
		"lost_after": ns(20 * time.Second), "late_after": ns(10 * time.Second), "lag_bound": ns(10 * time.Second),
		server: "jdk", workers: "10", monitored: "handler", share: "0", toggle: ns(100 * time.Millisecond), "search_step": ns(200 * time.Millisecond),
	}
	for i := 0; i < len(given); i += 2 {
		values[given[i]] = given[i+1]
	}
	c := results.Cell{Variant: v.Name, Launch: results.Launch{Target: "a.B"}, Proof: results.ProofPlan{Kind: v.Proof.Kind}}
	for name, value := range values {
		c.Parameters = append(c.Parameters, results.Value{Name: name, Value: value})
	}
	return plan.Invocation{Cell: plan.Cell{Cell: c, Recipe: v, Work: Scenario{}.Work(&c)}, Profile: results.ProfileTiming}
}

func ns(d time.Duration) string { return strconv.FormatInt(int64(d), 10) }

package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

// busyMachine is a machine with one CPU on which make runs until a moment, and
// which is hot, and presses, until others.
type busyMachine struct {
	began                    time.Time
	makeEnds, hotUntil, less time.Duration
}

func (m *busyMachine) Open(name string) (fs.File, error) {
	ms := func(d time.Duration) int64 { return d.Milliseconds() }
	now := time.Since(m.began)
	ran := min(now, m.makeEnds)
	temperature := "50000"
	if now < m.hotUntil {
		temperature = "71000"
	}
	files := map[string]string{
		"proc/stat":                          fmt.Sprintf("cpu0 %d 0 0 %d 0 0 0 0 0 0", ms(ran)/10, ms(now-ran)/10),
		"proc/7/stat":                        fmt.Sprintf("7 (make) R 1 7 7 0 -1 0 0 0 0 0 %d 0 0 0 20 0 1 0 5 0 0", ms(ran)/10),
		"proc/7/task/7/status":               "Cpus_allowed_list:\t0",
		"proc/pressure/cpu":                  fmt.Sprintf("some avg10=0.00 total=%d", min(now, m.less).Microseconds()/2),
		"sys/class/hwmon/hwmon0/name":        "k10temp",
		"sys/class/hwmon/hwmon0/temp1_input": temperature,
	}
	root := fstest.MapFS{}
	for path, content := range files {
		root[path] = &fstest.MapFile{Data: []byte(content + "\n")}
	}
	return root.Open(name)
}

// wait lets c wait for the machine, in a time of its own.
func (m *busyMachine) wait(t *testing.T, ctx context.Context, c Calm, limit time.Duration) (got Waited, err error) {
	synctest.Test(t, func(*testing.T) {
		m.began = time.Now()
		got, err = c.wait(ctx, limit, func() (*Window, error) {
			now := func() float64 { return float64(time.Since(m.began)) }
			return openWindow(&Window{root: m, cpus: cpu.Set{0}, tickNS: 4_000_000, clock: noClock, now: now})
		})
	})
	return got, err
}

func TestWait(t *testing.T) {
	const limit = 5 * time.Minute
	calm := Calm{othersShare: 0, pressureShare: 0.01, temperatureC: 47}
	for _, c := range []struct {
		name    string
		start   Calm
		machine busyMachine
		want    Waited
	}{
		{"quiet at once", calm, busyMachine{}, Waited{Took: 250 * time.Millisecond, Quiet: true}},
		{"after a process", calm, busyMachine{makeEnds: 10 * time.Second}, Waited{Took: 10500 * time.Millisecond, Quiet: true, Reason: "other processes take 100 % of the measured CPUs, on any CPU most by make (process 7, 250ms)"}},
		{"busy from the start", Calm{othersShare: 1, temperatureC: 50}, busyMachine{makeEnds: time.Hour}, Waited{Took: 250 * time.Millisecond, Quiet: true}},
		{"hot", calm, busyMachine{hotUntil: 3 * time.Second}, Waited{Took: 5 * time.Second, Quiet: true, Reason: "the CPUs are at 71 °C, against 47 °C at the start"}},
		{"pressed", calm, busyMachine{less: time.Second}, Waited{Took: 1500 * time.Millisecond, Quiet: true, Reason: "tasks wait for a CPU for 50 % of the time, against 1 % at the start"}},
		{"never quiet", calm, busyMachine{makeEnds: time.Hour, hotUntil: time.Hour}, Waited{Took: limit + 250*time.Millisecond, Reason: "make (process 7, 250ms); the CPUs are at 71 °C"}},
	} {
		got, err := c.machine.wait(t, context.Background(), c.start, limit)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		// It looks every 2.25 s at last.
		if got.Quiet != c.want.Quiet || got.Took < c.want.Took || got.Took > c.want.Took+2*time.Second || !strings.Contains(got.Reason, c.want.Reason) || (got.Reason == "") != (c.want.Reason == "") {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestWaitNotAtAll(t *testing.T) {
	m := busyMachine{makeEnds: time.Hour}
	got, err := m.wait(t, context.Background(), Calm{}, 0)
	if err != nil || got.Quiet || got.Took != 250*time.Millisecond {
		t.Errorf("%+v, %v", got, err)
	}
}

// The last look is soon after the limit, however long the pauses have become.
func TestWaitUntilTheLimit(t *testing.T) {
	for limit, want := range map[time.Duration]time.Duration{
		time.Second: 1250 * time.Millisecond, 750 * time.Millisecond: 750 * time.Millisecond,
		800 * time.Millisecond: 1050 * time.Millisecond,
	} {
		m := busyMachine{makeEnds: time.Hour}
		if got, err := m.wait(t, context.Background(), Calm{}, limit); err != nil || got.Quiet || got.Took != want {
			t.Errorf("%s: %+v, %v, want %s", limit, got, err, want)
		}
	}
}

func TestWaitEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := busyMachine{makeEnds: time.Hour}
	if _, err := m.wait(t, ctx, Calm{}, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := (Calm{}).Wait(t.Context(), fstest.MapFS{}, cpu.Set{0}, time.Hour); err == nil || !strings.Contains(err.Error(), "looking whether the machine is quiet: accounting for CPU 0") {
		t.Errorf("got %v", err)
	}
}

func TestCalmOfThisMachine(t *testing.T) {
	cpus, err := cpu.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	c, err := MeasureCalm(t.Context(), kernel.Root(), cpus, 20*time.Millisecond)
	if err != nil {
		t.Skipf("needs /proc: %v", err)
	}
	if !(c.othersShare >= 0) || c.pressureShare < 0 {
		t.Errorf("%+v", c)
	}
}

func TestBusy(t *testing.T) {
	for _, tt := range []struct {
		calm Calm
		want string
	}{
		{Calm{othersShare: 0.01}, ""},
		{Calm{othersShare: 0.05, noiseShare: 0.04}, ""},
		{Calm{othersShare: math.NaN()}, ""},
		{Calm{othersShare: 0.4, heaviest: []consumer{{7, "apt", 4e8}}}, "other processes take 40 % of the measured CPUs, on any CPU most by apt (process 7, 400ms)"},
	} {
		if got := tt.calm.Busy(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.calm, got, tt.want)
		}
	}
}

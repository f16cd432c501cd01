package load

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// stubVar makes the test binary a server, for the benchmarks.
const stubVar = "MOOBENCH_LOAD_STUB"

func TestMain(m *testing.M) {
	if os.Getenv(stubVar) != "" {
		if err := serveStub(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serveStub prints its address and serves until its input ends. It only looks
// for the end of each request: what is to be measured is not its speed.
func serveStub(in io.Reader, out io.Writer) error {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				request, answer := make([]byte, 4096), []byte(fine)
				for n := 0; ; {
					k, err := c.Read(request[n:])
					if n += k; err != nil {
						return
					}
					if bytes.HasSuffix(request[:n], []byte("\r\n\r\n")) {
						if _, err := c.Write(answer); err != nil {
							return
						}
						n = 0
					}
				}
			}()
		}
	}()
	fmt.Fprintln(out, ln.Addr())
	_, err = io.Copy(io.Discard, in)
	return err
}

// bench is a stub in another process, on a CPU of its own, and this process on
// one other.
func bench(b *testing.B) (url string) {
	b.Helper()
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		b.Fatal(err)
	}
	var cpus []int
	for cpu := 0; len(cpus) < allowed.Count(); cpu++ {
		if allowed.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	if len(cpus) < 2 {
		b.Skip("needs two CPUs: one for the load, one for the server")
	}
	stub := exec.Command(os.Args[0])
	stub.Env = append(os.Environ(), stubVar+"=1", "GOMAXPROCS=1")
	stub.Stderr = os.Stderr
	in, err := stub.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := stub.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	pin(b, cpus[len(cpus)-1])
	if err := stub.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		stub.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	pin(b, cpus[0])
	before := runtime.GOMAXPROCS(1)
	b.Cleanup(func() {
		runtime.GOMAXPROCS(before)
		pin(b, cpus...)
	})
	return "http://" + address[:len(address)-1] + "/"
}

// pin binds all threads of this process, and those that they start.
func pin(b *testing.B, cpus ...int) {
	b.Helper()
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	tasks, err := filepath.Glob("/proc/self/task/*")
	if err != nil {
		b.Fatal(err)
	}
	for _, task := range tasks {
		tid, err := strconv.Atoi(filepath.Base(task))
		if err != nil {
			b.Fatal(err)
		}
		if err := unix.SchedSetaffinity(tid, &set); err != nil && err != unix.ESRCH {
			b.Fatal(err)
		}
	}
}

// measure sends a load again and again, and reports the last one.
func measure(b *testing.B, l Load) {
	l.Requests = []Request{{URL: bench(b), Expect: Expect{Status: 200, Body: []byte(body)}}}
	l.Clients, l.Ramp, l.Hold = 200, time.Second, 5*time.Second
	l.Timeout, l.LateAfter = 5*time.Second, time.Second
	var before, after runtime.MemStats
	var r *Result
	for b.Loop() {
		runtime.ReadMemStats(&before)
		var err error
		if r, err = Run(b.Context(), l); err != nil {
			b.Fatal(err)
		}
		runtime.ReadMemStats(&after)
	}
	all, hold := r.Counts()
	late := 0
	for _, s := range r.Hold {
		if s.Outcome == Late && s.LatencyNS() > int64(l.LateAfter) {
			late++
		}
	}
	if hold.Lost() > 0 || late > 0 {
		b.Errorf("a server that does nothing lost, or answered late: %v", hold)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(hold.Total())/l.Hold.Seconds(), "requests/s")
	b.ReportMetric(float64(hold.Lost()), "lost")
	b.ReportMetric(float64(late), "late")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(all.Total()), "allocs/request")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(all.Total()), "B/request")
	b.ReportMetric(float64(after.PauseTotalNs-before.PauseTotalNs)/1e3/l.Hold.Seconds(), "GC-pause-us/s")
	b.ReportMetric(float64(after.NumGC-before.NumGC)/l.Hold.Seconds(), "GCs/s")
	b.ReportMetric(100*r.Own.CPUShare, "%CPU")
	b.ReportMetric(float64(r.lag(0.5))/1e3, "lag-p50-us")
	b.ReportMetric(float64(r.Own.LagP99NS)/1e3, "lag-p99-us")
	b.ReportMetric(float64(r.lag(1))/1e3, "lag-max-us")
}

// BenchmarkClosedLoop sends as fast as one CPU can, to a server on another.
func BenchmarkClosedLoop(b *testing.B) {
	measure(b, Load{Arrival: Closed})
}

// BenchmarkOpenLoop sends 4,000 requests per second from one CPU: what counts is
// the lag.
func BenchmarkOpenLoop(b *testing.B) {
	for _, arrival := range []Arrival{Constant, Poisson} {
		b.Run(string(arrival), func(b *testing.B) { measure(b, Load{Arrival: arrival, Rate: 4000, Seed: 1}) })
	}
}

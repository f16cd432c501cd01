package receiver

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"moobench/harness/receiver/wire"
	"moobench/internal/testrace"
)

// mostMemory is what no receiver may need, whatever is sent to it.
const mostMemory = 256 << 20

// heap is how much memory the heap has from the system, in bytes. It may shrink.
func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapSys)
}

// watch checks, and says with -v, how much memory the heap has come to need when
// the test ends. The heap is collected as it is in moobench, whatever GOGC says.
func watch(t *testing.T) {
	percent := debug.SetGCPercent(100)
	before := heap()
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		grown := heap() - before
		t.Logf("the heap grew by %.1f MiB", float64(grown)/(1<<20))
		if grown > mostMemory/4 {
			t.Errorf("the heap grew by %d bytes", grown)
		}
	})
}

// until waits for something that happens by itself.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not happen", what)
		}
	}
}

// A length that is announced costs nothing: neither that of a body nor that of a
// message in it.
func TestAnnouncedLengthsCostNothing(t *testing.T) {
	s, _ := openTestOTLP(t)
	o := s.(*posts)
	watch(t)
	// 256 MiB are announced for the body, and for its first field.
	request := fmt.Sprintf("POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n\x0a\x80\x80\x80\x80\x01abc", protobufType, bodyMost)
	var open []net.Conn
	for range 50 {
		c := dial(t, s)
		defer c.Close()
		open = append(open, c)
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "the arrival of all requests", func() bool { return o.bytes.Load() == int64(50*len(request)) })
	for _, c := range open {
		if err := c.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
	}
	tally, err := s.Finish(t.Context())
	if tally.Records != 0 {
		t.Errorf("%d records", tally.Records)
	}
	checkError(t, err, "ends after 9 bytes of its body (announced: 268435456)")
}

// A body is never held, however long it is.
func TestLongBodiesAreNotKept(t *testing.T) {
	testrace.Slow(t)
	span := message(2, make([]byte, 1<<20))
	spans := 0
	var scope []byte
	for range 40 {
		scope, spans = append(scope, span...), spans+1
	}
	body := message(1, message(2, scope))
	bodies := [][]byte{body, zipped(body)}
	watch(t)
	in := newIntake().(*intake)
	for _, packed := range bodies {
		req := httptest.NewRequest("POST", "/v1/traces", nil)
		if len(packed) < len(body) {
			req.Header.Set("Content-Encoding", "gzip")
		}
		var got int64
		allocated := testing.AllocsPerRun(1, func() {
			var err error
			req.Body = io.NopCloser(bytes.NewReader(packed))
			if got, err = in.take(req, wire.Spans, bodyMost); err != nil {
				t.Fatal(err)
			}
		})
		if got != int64(spans) || allocated > 100 {
			t.Errorf("%d of %d spans, %v allocations", got, spans, allocated)
		}
	}
}

// Ids far ahead cost no table, names no more than their share.
func TestKiekerRegistryIsBounded(t *testing.T) {
	testrace.Slow(t)
	var far, ahead kiekerStream
	far.entry(kiekerIDs-1, "x")
	ahead.entry(kiekerAhead, operation).records(kiekerAhead, 44, 3)
	ids := new(atomic.Int64)
	checkError(t, countKieker(&far, ids, func(_, _ int64) {}), "id 1048575 after 0 entries")
	var records int64
	checkError(t, countKieker(&ahead, ids, func(_, n int64) { records += n }), "")
	if records != 3 || ids.Load() != 0 {
		t.Errorf("%d records, %d ids kept", records, ids.Load())
	}
	name := strings.Repeat("n", 200)
	watch(t)
	var full []*kiekerDecoder
	for range kiekerAtOnce / kiekerIDs {
		d := newKiekerDecoder(true, ids)
		full = append(full, d)
		for id := range int32(kiekerIDs) {
			if err := d.register(id, name); err != nil {
				t.Fatal(err)
			}
		}
		if len(d.names) > kiekerNames/kiekerName || !d.registered(kiekerIDs-1) {
			t.Fatalf("%d names", len(d.names))
		}
		checkError(t, d.unknown(kiekerIDs-1), "a class (id 1048575) whose size is not known")
	}
	d := newKiekerDecoder(true, ids)
	checkError(t, d.register(0, "one too many"), "all connections together")
	full[0].close()
	checkError(t, d.register(0, "that fits now"), "")
}

// More connections than any agent makes are closed, and that is said.
func TestConnectionsAreBounded(t *testing.T) {
	watch(t)
	s := openTestKieker(t)
	n := s.(*network)
	for range connectionsMost + 6 {
		defer dial(t, s).Close()
	}
	until(t, "the end of six connections", func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return n.suspects.tooMany == 6
	})
	if open := n.connections(); open != connectionsMost {
		t.Errorf("%d connections are open", open)
	}
	n.quiet = 20 * time.Millisecond
	_, err := s.Finish(t.Context())
	checkError(t, err, "6 connections were closed because 64 were open already")
}

// However many reads there are, what is remembered of them has an end.
func TestArrivalsAreBounded(t *testing.T) {
	testrace.Slow(t)
	watch(t)
	a := newArrivals()
	const n = 3 << 20
	for i := range int64(n) {
		a.add(1+i, 1)
	}
	if cap(a.recent) > arrivalsMost {
		t.Errorf("%d arrivals have room", cap(a.recent))
	}
	a.Mark(n / 2)
	got := a.snapshot()
	if got.Records != n || got.ByLoopEnd > n/2 || got.ByLoopEnd < n/2-16 {
		t.Errorf("%+v", got)
	}
}

// Without descriptors a connection waits, and that is said once.
func TestOutOfDescriptors(t *testing.T) {
	s := openTestKieker(t)
	n := s.(*network)
	port, err := strconv.Atoi(s.Vars()["port"])
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	hungUp := false
	defer func() {
		if !hungUp {
			unix.Close(fd)
		}
	}()
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 0, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	restore := func() {
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
	}
	defer restore()
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	until(t, "an error of accepting", func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return len(n.errs) > 0
	})
	time.Sleep(3 * acceptPause) // more errors, of which none is kept
	restore()
	if _, err := unix.Write(fd, kiekerWire(5)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, s, 5)
	hungUp = true
	if err := unix.Close(fd); err != nil {
		t.Fatal(err)
	}
	tally, err := s.Finish(t.Context())
	if tally.Records != 5 || err == nil || strings.Count(err.Error(), unix.EMFILE.Error()) != 1 {
		t.Errorf("%+v, %v; want 5 records, and the error once", tally, err)
	}
}

// What a subject leaves in the place of a file is not waited for, and not read
// without end.
func TestFilesThatAreNone(t *testing.T) {
	watch(t)
	for name, path := range map[string]string{"fixture": recordsCount, "probe-file": probeFile, "kieker-text": "kieker-1/kieker.map"} {
		for want, put := range map[string]func(string) error{
			"not a regular file":       func(path string) error { return unix.Mkfifo(path, 0o600) },
			"a link that leads out of": func(path string) error { return os.Symlink("/dev/zero", path) },
		} {
			dir := t.TempDir()
			if name == "kieker-text" {
				write(t, filepath.Join(dir, "kieker-1/kieker-1.dat"), textFile(0, 2))
			}
			if err := put(filepath.Join(dir, path)); err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), name, dir, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Finish(t.Context())
			checkError(t, err, want)
		}
	}
}

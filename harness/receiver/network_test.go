package receiver

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"moobench/harness/proc"
)

func dial(t testing.TB, s Source) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp4", "127.0.0.1:"+s.Vars()["port"])
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// dialAndSend is a whole subject: it connects, sends, and is gone.
func dialAndSend(t testing.TB, s Source, b []byte) {
	t.Helper()
	c := dial(t, s)
	if _, err := c.Write(b); err != nil {
		t.Error(err)
	}
	// What the receiver answers must not turn our end into a reset.
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		t.Error(err)
	}
	go func() {
		defer c.Close()
		buf := make([]byte, 1024)
		for {
			if _, err := c.Read(buf); err != nil {
				return
			}
		}
	}()
}

func openTestKieker(t testing.TB) Source {
	t.Helper()
	s, err := Open(t.Context(), "kieker-tcp", "", nil, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestFinishMissesNothingLeftBehind(t *testing.T) {
	// The subject is gone before Finish; much may still be in the kernel.
	for range 50 {
		s := openTestKieker(t)
		dialAndSend(t, s, kiekerWire(1000))
		tally, err := s.Finish(t.Context())
		if tally.Records != 1000 || tally.Bytes != int64(len(kiekerWire(1000))) || err != nil {
			t.Fatalf("%+v, %v; want 1000 records", tally, err)
		}
		if tally.LastNS == 0 || tally.LastNS > proc.MonotonicNS() {
			t.Fatalf("stamps: %+v", tally)
		}
	}
}

func TestConnectionsHaveRegistriesOfTheirOwn(t *testing.T) {
	s := openTestKieker(t)
	var other kiekerStream
	other.entry(0, before).records(0, 28, 500)
	var senders sync.WaitGroup
	senders.Go(func() { dialAndSend(t, s, kiekerWire(2000)) })
	senders.Go(func() { dialAndSend(t, s, other.Bytes()) })
	senders.Wait()
	tally, err := s.Finish(t.Context())
	if tally.Records != 2500 || err != nil {
		t.Errorf("%+v, %v; want 2500 records", tally, err)
	}
}

func TestMarkSplitsArrivals(t *testing.T) {
	s := openTestKieker(t)
	c := dial(t, s)
	if _, err := c.Write(kiekerWire(100)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, s, 100)
	endNS := proc.MonotonicNS()
	if _, err := c.Write(binaryFile(11)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, s, 111)
	s.Mark(endNS) // late: the arrivals after the end are already counted
	if _, err := c.Write(binaryFile(5)); err != nil {
		t.Fatal(err)
	}
	c.Close()
	tally, err := s.Finish(t.Context())
	if tally.Records != 116 || tally.ByLoopEnd != 100 || tally.LoopEndFromBytes || err != nil {
		t.Errorf("%+v, %v; want 100 of 116", tally, err)
	}
}

func waitFor(t *testing.T, s Source, records int64) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); s.(*network).snapshot().Records < records; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d records did not arrive", records)
		}
	}
}

func TestBadConnectionKeepsTheCount(t *testing.T) {
	s := openTestKieker(t)
	in := kiekerWire(10)
	dialAndSend(t, s, in[:len(in)-1])
	dialAndSend(t, s, []byte(strings.Repeat("not kieker at all", 100_000))) // taken to its end all the same
	dialAndSend(t, s, kiekerWire(5))
	tally, err := s.Finish(t.Context())
	if tally.Records != 14 || tally.Bytes != int64(len(in)-1+1_700_000+len(kiekerWire(5))) {
		t.Errorf("%+v; want 14 records", tally)
	}
	checkError(t, err, "1 of the 56 bytes of a record")
	checkError(t, err, "not registered before")
}

func TestFinishGivesUpOnSilentConnections(t *testing.T) {
	s := openTestKieker(t)
	s.(*network).quiet = 20 * time.Millisecond
	c := dial(t, s)
	defer c.Close()
	if _, err := c.Write(kiekerWire(3)); err != nil {
		t.Fatal(err)
	}
	tally, err := s.Finish(t.Context())
	if tally.Records != 3 {
		t.Errorf("%d records, want 3", tally.Records)
	}
	checkError(t, err, "1 connections are still open and silent")

	s = openTestKieker(t)
	c = dial(t, s)
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Finish(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
}

func TestPortInUse(t *testing.T) {
	s := openTestKieker(t)
	address := "127.0.0.1:" + s.Vars()["port"]
	_, err := listen(t.Context(), address, "")
	checkError(t, err, "listen on "+address+": the port is in use by another program")
}

func TestClose(t *testing.T) {
	for _, f := range Formats() {
		if len(f.Keys) > 0 {
			continue // it has to be told what to look at
		}
		name := f.Name
		s, err := Open(t.Context(), name, t.TempDir(), nil, "")
		if err != nil {
			t.Fatal(err)
		}
		if s.Vars()["port"] != "" {
			defer dial(t, s).Close()
		}
		for range 2 {
			if err := s.Close(); err != nil {
				t.Errorf("%s: close: %v", name, err)
			}
		}
	}
}

func TestFinishWithoutRecords(t *testing.T) {
	for _, f := range Formats() {
		if len(f.Keys) > 0 {
			continue // it has to be told what to look at
		}
		name := f.Name
		s, err := Open(t.Context(), name, t.TempDir(), nil, "")
		if err != nil {
			t.Fatal(err)
		}
		s.Mark(proc.MonotonicNS())
		tally, err := s.Finish(t.Context())
		if tally.Records != 0 || tally.ByLoopEnd != 0 || err != nil {
			t.Errorf("%s: %+v, %v", name, tally, err)
		}
	}
}

func TestOpenUnknown(t *testing.T) {
	_, err := Open(t.Context(), "jaeger", "", nil, "")
	checkError(t, err, `unknown receiver "jaeger" (known: appinsights, command, datadog, elastic, file, fixture, http, jfr, kieker-binary, kieker-tcp, kieker-text, log, otlp, posts, probe-events, probe-file, profiles, scrape, skywalking, zipkin)`)
}

// BenchmarkKiekerSocket sends records through a real socket, in Kieker's
// writes of 64 KiB; BenchmarkFloorSocket only reads them.
func BenchmarkKiekerSocket(b *testing.B) {
	s := openTestKieker(b)
	c := dial(b, s)
	if _, err := c.Write(kiekerWire(0)); err != nil {
		b.Fatal(err)
	}
	benchmarkSocket(b, c)
	tally, err := s.Finish(b.Context())
	if tally.Records%1170 != 0 || err != nil {
		b.Fatal(tally, err)
	}
}

func BenchmarkFloorSocket(b *testing.B) {
	n, err := listen(b.Context(), anyPort, "")
	if err != nil {
		b.Fatal(err)
	}
	n.start(func(c *conn) {
		defer c.Close()
		buf := make([]byte, kiekerBuffer)
		for {
			if _, err := c.Read(buf); err != nil {
				return
			}
		}
	})
	benchmarkSocket(b, dial(b, n))
	if _, err := n.Finish(b.Context()); err != nil {
		b.Fatal(err)
	}
}

func benchmarkSocket(b *testing.B, c net.Conn) {
	in := binaryFile(1170) // 65,520 bytes
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Write(in); err != nil {
			b.Fatal(err)
		}
	}
	perRecord(b, 1170)
	c.Close()
}

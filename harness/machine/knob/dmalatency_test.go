package knob

import (
	"encoding/binary"
	"io/fs"
	"strings"
	"testing"

	"moobench/harness/machine/cpu"
	"moobench/internal/testmachine"
)

// latencies is a machine with /dev/cpu_dma_latency: the strictest of those that
// hold it open is what it says.
type latencies struct {
	*testmachine.Kernel
	held map[*int32]bool
}

func latencyOf(t *testing.T, others int32) latencies {
	t.Helper()
	l := latencies{testmachine.Open(t, "vm"), map[*int32]bool{&others: true}}
	l.say()
	return l
}

func (l latencies) say() {
	strictest := int32(unlimitedUS)
	for us := range l.held {
		strictest = min(strictest, *us)
	}
	l.Put(latencyFile, string(binary.NativeEndian.AppendUint32(nil, uint32(strictest))))
}

func (l latencies) HoldOpen(path string, data []byte) (release func() error, err error) {
	if path != latencyFile || len(data) != 4 {
		return nil, fs.ErrInvalid
	}
	us := int32(binary.NativeEndian.Uint32(data))
	l.held[&us] = true
	l.say()
	return func() error {
		delete(l.held, &us)
		l.say()
		return nil
	}, nil
}

func TestDMALatency(t *testing.T) {
	k := knob("dma_latency")
	for _, test := range []struct {
		others              int32
		value, found, holds string
	}{
		{unlimitedUS, "10us", "unlimited", "10us"},
		{unlimitedUS, "0us", "unlimited", "0us"},
		{100, "10us", "100us", "10us"},
		{2, "10us", "2us", "2us"}, // somebody else is stricter
	} {
		tree := latencyOf(t, test.others)
		said := func(when, want string) {
			t.Helper()
			if got, err := k.Observe(tree, cpu.Placement{}); err != nil || got != want {
				t.Errorf("%s %s says %q, %v; want %s", when, test.value, got, err, want)
			}
		}
		said("before", test.found)
		release, err := k.Hold(tree, test.value)
		if err != nil {
			t.Fatal(err)
		}
		said("with", test.holds)
		if want, err := k.resolve(tree, cpu.Placement{}, test.value); err != nil || want != test.holds {
			t.Errorf("%s resolves to %q, %v; want %s", test.value, want, err, test.holds)
		}
		if err := release(); err != nil {
			t.Error(err)
		}
		said("after", test.found)
	}
}

func TestDMALatencyValues(t *testing.T) {
	for value, want := range map[string]string{
		"0us": "0us", "0": "0us", "10us": "10us", "10µs": "10us", "1ms": "1000us", "10": "", "-1us": "", "500ns": "", "1h": "", "": "", "unlimited": "",
	} {
		got, err := knob("dma_latency").Check(value)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", value, got, err, want)
		}
	}
}

func TestDMALatencyProblems(t *testing.T) {
	short := latencyOf(t, 0)
	short.Put(latencyFile, "1")
	for _, test := range []struct {
		tree  fs.FS
		value string
		want  string
	}{
		{testmachine.Of(nil), "0us", "there is no /dev/cpu_dma_latency here"},
		{short, "0us", "/dev/cpu_dma_latency holds 1 bytes, and not 4"},
		{struct{ fs.FS }{latencyOf(t, 0)}, "0us", "/dev/cpu_dma_latency can't be held open here"},
		{latencyOf(t, 0), "soon", `"soon" is not a latency`},
	} {
		if release, err := knob("dma_latency").Hold(test.tree, test.value); err == nil || release != nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

package machine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

const (
	latencyFile = "dev/cpu_dma_latency"
	// unlimitedUS is what the kernel says when nobody asks for less:
	// PM_QOS_CPU_LATENCY_DEFAULT_VALUE.
	unlimitedUS = 2_000_000_000
)

// Holder is a Knob that is set for as long as a file is held open. There is
// nothing to put back: the kernel drops it when moobench ends, however it ends.
type Holder interface {
	Knob
	// Values and Check are as those of Setter.
	Values() []string
	Check(value string) (canonical string, err error)
	// Hold sets it until release is called. The error says why it can't be set
	// here.
	Hold(tree Tree, value string) (release func() error, err error)
}

// Holdable is a Tree with files that can be held open.
type Holdable interface {
	// HoldOpen opens the file at path, hands data to it in a single write, and
	// keeps it open until release is called.
	HoldOpen(path string, data []byte) (release func() error, err error)
}

func (system) HoldOpen(path string, data []byte) (release func() error, err error) {
	f, err := os.OpenFile(absolute(path), os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}

// dmaLatency is the longest that any CPU may take to wake.
type dmaLatency struct{}

func (dmaLatency) Name() string { return "dma_latency" }

func (dmaLatency) About() About {
	return About{
		Title:  "wake-up latency",
		Does:   "limits how long any CPU may take to wake, for as long as moobench runs",
		Cost:   "as for cstates, which does it for the measured CPUs alone; at 0us no CPU sleeps at all, and all grow hot",
		Drifts: true,
	}
}

// Observe says the strictest limit that anybody asks for.
func (dmaLatency) Observe(root fs.FS, _ Placement) (State, error) {
	us, err := readLatency(root)
	if err != nil {
		return State{}, err
	}
	if us >= unlimitedUS {
		return State{Value: "unlimited"}, nil
	}
	return State{Value: fmt.Sprintf("%dus", us)}, nil
}

func (dmaLatency) Values() []string { return []string{"0us", "10us"} }

func (dmaLatency) Check(value string) (string, error) {
	us, err := parseLatency(value)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%dus", us), nil
}

// Resolve says that a stricter limit of somebody else's will do.
func (k dmaLatency) Resolve(root fs.FS, on Placement, value string) (string, error) {
	want, err := parseLatency(value)
	if err != nil {
		return "", err
	}
	us, err := readLatency(root)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%dus", min(us, want)), nil
}

func (dmaLatency) Hold(tree Tree, value string) (release func() error, err error) {
	us, err := parseLatency(value)
	if err != nil {
		return nil, err
	}
	if _, err := readLatency(tree); err != nil {
		return nil, err
	}
	holdable, ok := tree.(Holdable)
	if !ok {
		return nil, fmt.Errorf("/%s can't be held open here", latencyFile)
	}
	release, err = holdable.HoldOpen(latencyFile, binary.NativeEndian.AppendUint32(nil, uint32(us)))
	if err != nil {
		return nil, fmt.Errorf("holding /%s open: %w", latencyFile, err)
	}
	return release, nil
}

// readLatency reads a 32-bit number of µs in the machine's byte order.
func readLatency(root fs.FS) (us int32, err error) {
	b, err := fs.ReadFile(root, latencyFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, errors.New("there is no /" + latencyFile + " here")
	case errors.Is(err, fs.ErrPermission):
		return 0, errors.New("only root may open /" + latencyFile)
	case err != nil:
		return 0, err
	case len(b) < 4:
		return 0, fmt.Errorf("/%s holds %d bytes, and not 4", latencyFile, len(b))
	}
	return int32(binary.NativeEndian.Uint32(b)), nil
}

// parseLatency reads "10us", "0us" or "1ms".
func parseLatency(s string) (us int32, err error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d%time.Microsecond != 0 || d/time.Microsecond >= unlimitedUS {
		return 0, fmt.Errorf("%q is no latency (want whole µs, e.g. 0us or 10us)", s)
	}
	return int32(d / time.Microsecond), nil
}

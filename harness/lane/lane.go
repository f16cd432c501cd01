// Package lane runs several processes on one machine at once, each on its own cores. It hands out turns: either
// all processes measure a block, or one does, alone.
package lane

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"moobench/harness/machine/cpu"
	"moobench/harness/proc"
)

// Process is a lane to run.
type Process struct {
	Cores   cpu.Set
	Command *exec.Cmd // it requests turns with Turns
	// Done reports success, whatever the exit status; nil: the exit status decides.
	Done func() bool
}

// Turn is a turn granted to one or more lanes.
type Turn struct {
	Number int   // from 1
	Lanes  []int // the lanes that measure, from 1
}

// Run runs all lanes until they end, and hands out turns; tell is called for each. If a lane fails or ctx ends,
// all are asked to end: the others' results would no longer be those of lanes running side by side. Run returns
// the error of the first lane to fail.
func Run(ctx context.Context, lanes []Process, tell func(Turn)) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	wishes := make(chan wish)
	grants := make([]*os.File, len(lanes))
	for i, p := range lanes {
		asked, ask, err := os.Pipe()
		if err != nil {
			return fmt.Errorf("starting a lane: %w", err)
		}
		granted, grant, err := os.Pipe()
		if err != nil {
			return errors.Join(fmt.Errorf("starting a lane: %w", err), asked.Close(), ask.Close())
		}
		defer grant.Close()
		grants[i] = grant
		heard := make(chan struct{})
		go func() {
			listen(asked, i+1, wishes)
			close(heard)
		}()
		proc.OffMain(func() {
			err := p.run(ctx, granted, ask)
			<-heard // its last request precedes its end
			if err != nil {
				err = fmt.Errorf("lane %d (CPU %s): %w", i+1, p.Cores, err)
			}
			wishes <- wish{lane: i + 1, ended: true, err: err}
		})
	}
	return share(wishes, grants, end, tell)
}

// wish is a lane's request for a turn, or its end, with or without an error.
type wish struct {
	lane  int
	alone bool
	ended bool
	err   error
}

// A lane's requests for a turn.
const (
	askAlone    = "alone"
	askTogether = "together"
)

// listen passes on a lane's requests until the lane ends.
func listen(asked *os.File, lane int, wishes chan<- wish) {
	defer asked.Close()
	for lines := bufio.NewScanner(asked); lines.Scan(); {
		wishes <- wish{lane: lane, alone: lines.Text() == askAlone}
	}
}

// share grants turns until all lanes have ended. Once every live lane waits, the first lane that wants to measure
// alone gets the turn; otherwise all get it together.
func share(wishes <-chan wish, grants []*os.File, end func(), tell func(Turn)) (failed error) {
	live := len(grants)
	waiting := map[int]wish{}
	last := int64(0)
	for turn := 1; live > 0; {
		w := <-wishes
		if w.ended {
			live--
			delete(waiting, w.lane)
			failed = cmp.Or(failed, w.err)
		} else {
			waiting[w.lane] = w
		}
		if failed != nil {
			end()
			continue
		}
		if len(waiting) < live || live == 0 {
			continue
		}
		chosen := next(waiting, len(grants))
		tell(Turn{turn, chosen})
		last, turn = max(last+1, time.Now().UnixMilli()), turn+1
		for _, lane := range chosen {
			delete(waiting, lane)
			fmt.Fprintln(grants[lane-1], last, len(chosen)-1) // fails if the lane has ended, which it reports itself
		}
	}
	return failed
}

// next returns the lanes that get the turn.
func next(waiting map[int]wish, lanes int) (chosen []int) {
	for lane := 1; lane <= lanes; lane++ {
		w, waits := waiting[lane]
		if waits && w.alone {
			return []int{lane}
		}
		if waits {
			chosen = append(chosen, lane)
		}
	}
	return chosen
}

// run runs the process on its cores. It changes the CPU affinity of its thread, which must end with it.
func (p Process) run(ctx context.Context, granted, ask *os.File) error {
	defer granted.Close()
	defer ask.Close()
	if err := cpu.SetThread(p.Cores); err != nil {
		return err
	}
	cmd := p.Command
	cmd.ExtraFiles = []*os.File{granted, ask}
	cmd.Env = append(cmd.Environ(), startedBy+"="+strconv.Itoa(os.Getpid()))
	// A group of its own: a signal that ends us is passed on once, not a second time by the terminal.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	err := cmd.Start()
	if err == nil {
		stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(syscall.SIGTERM) }) // fails only if it has ended
		err = cmd.Wait()
		stop()
	}
	switch {
	case p.Done != nil && p.Done():
		return nil
	case ctx.Err() != nil:
		return errors.New("interrupted: the invocation under way was discarded")
	case err != nil:
		return fmt.Errorf("%w; its messages are above", err)
	}
	return nil
}

// File descriptors of a lane: it reads grants from one, and writes requests to the other.
const grantsFile, asksFile = 3, 4

// startedBy is the environment variable with the process ID of the lane's parent, which hands out the turns.
const startedBy = "MOOBENCH_LANES"

// errNotStarted means that Run did not start this process as a lane.
var errNotStarted = errors.New("a lane is started by moobench run --lanes")

// Turns connects a lane to the process that started it. next waits for a turn, alone if requested, and returns its
// number, which increases from turn to turn, and how many other lanes measure in it.
func Turns() (next func(ctx context.Context, alone bool) (number int64, others int, err error), err error) {
	// A caller may have left files of its own open as 3 and 4: what they are says nothing.
	if os.Getenv(startedBy) != strconv.Itoa(os.Getppid()) {
		return nil, errNotStarted
	}
	os.Unsetenv(startedBy) // it is for this process, not for what it starts
	for _, fd := range []int{grantsFile, asksFile} {
		syscall.CloseOnExec(fd) // otherwise the JVMs would inherit it
	}
	return waiting(os.NewFile(grantsFile, "grants"), os.NewFile(asksFile, "asks")), nil
}

// waiting returns a function that requests a turn and reads the grant.
func waiting(granted, asks *os.File) func(ctx context.Context, alone bool) (number int64, others int, err error) {
	grants := bufio.NewReader(granted)
	type grant struct {
		number int64
		others int
		err    error
	}
	return func(ctx context.Context, alone bool) (number int64, others int, err error) {
		wish := askTogether
		if alone {
			wish = askAlone
		}
		given := make(chan grant, 1)
		go func() {
			var g grant
			if _, g.err = fmt.Fprintln(asks, wish); g.err == nil {
				_, g.err = fmt.Fscan(grants, &g.number, &g.others)
			}
			given <- g
		}()
		select {
		case g := <-given:
			if g.err != nil {
				g.err = fmt.Errorf("the moobench that shares the turns out has ended: %w", g.err)
			}
			return g.number, g.others, g.err
		case <-ctx.Done():
			return 0, 0, ctx.Err()
		}
	}
}

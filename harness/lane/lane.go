// Package lane runs several processes of one machine at once, each on cores of its own, and shares turns out to them:
// all measure a block, or one alone.
package lane

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"moobench/harness/machine/cpu"
	"moobench/harness/proc"
)

// Process is a lane that is to run.
type Process struct {
	Cores   cpu.Set
	Command *exec.Cmd // which asks for turns (Turns)
	// Done says whether the process has done its work, whatever its exit status; nil: its status says.
	Done func() bool
}

// Turn is a turn that lanes were given.
type Turn struct {
	Number int   // from 1
	Lanes  []int // that measure in it, from 1
}

// Run runs all lanes until they have ended, and shares the turns out; tell hears of each. Where a lane fails, or ctx
// ends, all are asked to end: what the others would measure without it would not be beside it. The error is that of
// the lane that failed first.
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
			<-heard // what it asked for last comes before its end
			if err != nil {
				err = fmt.Errorf("lane %d (CPU %s): %w", i+1, p.Cores, err)
			}
			wishes <- wish{lane: i + 1, ended: true, err: err}
		})
	}
	return share(wishes, grants, end, tell)
}

// wish is a turn that a lane waits for, or its end, with or without an error.
type wish struct {
	lane  int
	alone bool
	ended bool
	err   error
}

// A lane asks for one of these turns.
const (
	askAlone    = "alone"
	askTogether = "together"
)

// listen hands on what a lane asks for, until it has ended.
func listen(asked *os.File, lane int, wishes chan<- wish) {
	defer asked.Close()
	for lines := bufio.NewScanner(asked); lines.Scan(); {
		wishes <- wish{lane: lane, alone: lines.Text() == askAlone}
	}
}

// share gives turns to the lanes until all have ended: when all of those that go on wait for one, to the first one that
// wants to measure alone, or else to all of them at once.
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
			fmt.Fprintln(grants[lane-1], last, len(chosen)-1) // a lane that has ended meanwhile says so by itself
		}
	}
	return failed
}

// next are the lanes that get the turn.
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

// run runs the process on its cores. It changes the CPUs of its thread, which must end with it.
func (p Process) run(ctx context.Context, granted, ask *os.File) error {
	defer granted.Close()
	defer ask.Close()
	if err := cpu.SetThread(p.Cores); err != nil {
		return err
	}
	cmd := p.Command
	cmd.ExtraFiles = []*os.File{granted, ask}
	// A group of its own: what ends us is handed on once, and not by the terminal a second time.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	err := cmd.Start()
	if err == nil {
		stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(syscall.SIGTERM) }) // or it has ended
		err = cmd.Wait()
		stop()
	}
	switch {
	case p.Done != nil && p.Done():
		return nil
	case ctx.Err() != nil:
		return errors.New("interrupted: the invocation under way was discarded")
	case err != nil:
		return fmt.Errorf("%w; what it said stands above", err)
	}
	return nil
}

// The files that a lane is started with: turns are read from one, and asked for in the other.
const grantsFile, asksFile = 3, 4

// errNotStarted means that this process is no lane that Run has started.
var errNotStarted = errors.New("a lane is started by moobench run --lanes")

// Turns are those that a lane gets from whoever has started it: next waits for one, alone if that is wanted, and says
// its number, which is larger for later ones, and how many other lanes measure in it.
func Turns() (next func(ctx context.Context, alone bool) (number int64, others int, err error), err error) {
	for _, fd := range []int{grantsFile, asksFile} {
		var is syscall.Stat_t
		if err := syscall.Fstat(fd, &is); err != nil || is.Mode&syscall.S_IFMT != syscall.S_IFIFO {
			return nil, errNotStarted
		}
		syscall.CloseOnExec(fd) // or the JVMs would have them, too
	}
	return waiting(os.NewFile(grantsFile, "grants"), os.NewFile(asksFile, "asks")), nil
}

// waiting asks for turns, and reads which it was given.
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

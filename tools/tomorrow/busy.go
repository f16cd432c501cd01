package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// burst is the mean CPU time of one burst of the other work.
const burst = 50 * time.Millisecond

// startBusy starts programs that each want a share of a CPU, in sessions of their own like other people's
// programs. stop ends them. They also end with this process, however it ends, because their standard input
// does.
func startBusy(ctx context.Context, loops int, load float64) (stop func() error, err error) {
	var ends []func() error
	stop = func() error {
		var errs []error
		for _, end := range ends {
			errs = append(errs, end())
		}
		return errors.Join(errs...)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for range loops {
		cmd := exec.CommandContext(ctx, self, "-burn", strconv.FormatFloat(load, 'g', -1, 64))
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		input, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			return nil, errors.Join(err, stop())
		}
		ends = append(ends, func() error {
			if err := errors.Join(input.Close(), cmd.Wait()); err != nil && ctx.Err() == nil {
				return fmt.Errorf("the program that worked beside ended early: %w", err)
			}
			return nil
		})
	}
	return stop, nil
}

// burn takes a share of a CPU until the input ends. Bursts and the pauses between them are exponential, because
// other programs have no fixed rhythm. A burst is CPU time, not wall time, so that it wants as much if it has
// to wait.
func burn(input io.Reader, load float64, seed uint64) {
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, input) // an error is an end, too
		close(ended)
	}()
	runtime.LockOSThread()
	rng, x := rand.New(rand.NewPCG(seed, 1)), seed
	for {
		until := threadTime() + time.Duration(float64(burst)*rng.ExpFloat64())
		for threadTime() < until {
			select {
			case <-ended:
				return
			default:
				x = spin(x)
			}
		}
		select {
		case <-ended:
			return
		case <-time.After(time.Duration(float64(burst) * rng.ExpFloat64() * (1 - load) / load)):
		}
	}
}

// spin is some 20 µs of work in user mode: only reading the clock would be work in the kernel.
func spin(x uint64) uint64 {
	for range 10_000 {
		x = x*6364136223846793005 + 1442695040888963407 // Knuth's linear congruential generator
	}
	return x
}

// threadTime returns the CPU time of the calling thread.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(fmt.Sprintf("reading the thread's CPU time: %v", err)) // every Linux has it
	}
	return time.Duration(t.Nano())
}

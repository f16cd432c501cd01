package jvm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/knob"
	"moobench/harness/proc"
)

// LogName is the file in a subject's folder that takes its standard output and error.
const LogName = "out.log"

const (
	defaultGrace = 60 * time.Second // agents export what they hold when the JVM exits
	termGrace    = 5 * time.Second  // between SIGTERM and SIGKILL
)

// Command is a subject to start: a plain process, measured from outside, or a fixture
// JVM.
type Command struct {
	Path  string        // the program: a path, or a name on moobench's PATH
	Args  []string      // without the program itself
	Env   []string      // K=V, added to the minimal environment
	Dir   string        // the folder of its log, and its working directory if Work is ""
	Work  string        // its working directory; "": Dir
	CPUs  []int         // for all its threads; nil: any
	Grace time.Duration // how long it may take to end when asked; 0: one minute
	// StartTimeout bounds the wait for a fixture's hello; 0: one minute.
	StartTimeout time.Duration
	// Output is the file in Dir that takes its standard output; "": the log takes both.
	Output       string
	knob.Subject // its further attributes
}

// Process is a running subject. It ends with moobench, however moobench ends; so do its own children, unless
// moobench is killed: EndOrphans kills them later.
type Process struct {
	cmd     *exec.Cmd
	log     string
	cpus    string
	threads knob.Threads // at its start, before it executed anything
	mark    string
	grace   time.Duration
	alone   bool // it is one process, even if it starts others
	startNS int64
	done    chan struct{} // closed when it is reaped

	mu     sync.Mutex // held while signalling, so that no reused pid is hit
	reaped bool
	asked  bool // to end
	killed bool // by us
	exit   Exit // valid once done is closed
}

// Exit records how a subject ended and what it used from start to end, including ended threads.
type Exit struct {
	Status string // "0", "1", "signal: killed"

	UserNS, SystemNS int64
	// OutlivedNS is the CPU time of processes of its family that ended after it, if it was asked to end: a script
	// ends before the JVM that it started. It is exact to some ms.
	OutlivedNS float64
	WallNS     int64
	EndNS      int64 // CLOCK_MONOTONIC when its end was noticed
	// MaxRSSBytes is the peak resident set size, or -1 if unknown: on Linux a child begins with its parent's peak,
	// so a value at or below our own peak tells nothing. Snapshot.PeakRSSBytes is exact.
	MaxRSSBytes int64
	// Left names the processes that it left behind. They were killed.
	Left []string
}

// environment returns all that a subject inherits. Nothing of the user's own environment may reach it:
// JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS, CLASSPATH or OTEL_* would change the results.
func environment() []string {
	return []string{"LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin", "TZ=UTC"}
}

// StartProcess starts a subject. Errors are *Failure.
func StartProcess(ctx context.Context, c Command) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, Failuref(kindInterrupted, "starting %s: %w", c.Path, err)
	}
	if path, err := filepath.Abs(c.Path); err == nil && strings.Contains(c.Path, "/") {
		c.Path = path // a relative path would be resolved in Dir
	}
	_, begun := proc.Running(os.Getpid())
	p := &Process{
		cmd:   exec.Command(c.Path, c.Args...),
		log:   filepath.Join(c.Dir, LogName),
		mark:  fmt.Sprintf("%s=%d.%s.%s", markName, os.Getpid(), cmp.Or(begun, "?"), newToken()),
		grace: cmp.Or(c.Grace, defaultGrace),
		done:  make(chan struct{}),
	}
	p.cmd.Dir, p.cmd.Env = cmp.Or(c.Work, c.Dir), append(append(environment(), c.Env...), p.mark)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	proc.OffMain(func() { p.supervise(c, started) })
	if err := <-started; err != nil {
		return nil, Failuref(KindStart, "starting %s: %w", c.Path, err)
	}
	p.cpus = strings.Join(proc.Status(p.PID(), "Cpus_allowed_list:"), "")
	p.threads = knob.ReadThreads(os.DirFS("/"), p.PID())
	return p, nil
}

// supervise starts the process and returns when it is reaped. The kernel sends the parent-death signal when the
// forking thread ends, not the process, so this runs on a thread of its own. Inherited attributes that could not
// be restored vanish with that thread.
func (p *Process) supervise(c Command, started chan<- error) {
	err := p.launch(c)
	started <- err
	if err != nil {
		return
	}
	p.reap()
	close(p.done)
}

func (p *Process) launch(c Command) error {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_TRUNC|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer log.Close()
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if c.Output != "" {
		output, err := os.Create(filepath.Join(c.Dir, c.Output))
		if err != nil {
			return err
		}
		defer output.Close()
		p.cmd.Stdout = output
	}
	if c.ControlGroup != "" { // the child starts inside it
		folder, err := os.OpenFile(c.controlGroup(), unix.O_PATH|unix.O_DIRECTORY, 0)
		if err != nil {
			return fmt.Errorf("opening its control group: %w", err)
		}
		defer folder.Close()
		p.cmd.SysProcAttr.UseCgroupFD, p.cmd.SysProcAttr.CgroupFD = true, int(folder.Fd())
	}
	restore, err := c.bequeath()
	if err != nil {
		return err
	}
	defer restore()
	p.startNS = proc.MonotonicNS()
	if err := p.cmd.Start(); err != nil {
		if c.ControlGroup != "" {
			err = fmt.Errorf("in control group %s, which wants Linux 5.7 "+
				"and the right to write to its cgroup.procs: %w", c.controlGroup(), err)
		}
		return err
	}
	if err := c.endow(p.PID()); err != nil {
		unix.Kill(-p.PID(), unix.SIGKILL)
		p.cmd.Wait() // it was killed
		return err
	}
	return nil
}

// reap waits for the end, and kills what is left in the process's group: at once if it ended by itself, after its
// grace if it was asked to end, since a script that is signalled together with its JVM ends first. It waits
// without reaping first: until it reaps, the pid and its group are ours.
func (p *Process) reap() {
	proc.Restart(func() error { return unix.Waitid(unix.P_PID, p.PID(), nil, unix.WEXITED|unix.WNOWAIT, nil) })
	end := proc.MonotonicNS()
	left, outlived := p.outlived() // the process itself is a zombie by now and not included
	p.mu.Lock()
	defer p.mu.Unlock()
	unix.Kill(-p.PID(), unix.SIGKILL)
	killAll(carries(p.mark))
	p.cmd.Wait() // its error is the state read below
	p.reaped = true
	p.exit = Exit{
		Status: "unknown", WallNS: end - p.startNS, EndNS: end, MaxRSSBytes: -1, Left: left, OutlivedNS: outlived,
	}
	s := p.cmd.ProcessState
	if s == nil {
		return
	}
	p.exit.Status = strconv.Itoa(s.ExitCode())
	p.exit.UserNS, p.exit.SystemNS = int64(s.UserTime()), int64(s.SystemTime())
	if status := s.Sys().(syscall.WaitStatus); status.Signaled() {
		p.exit.Status = "signal: " + status.Signal().String()
	}
	usage := s.SysUsage().(*syscall.Rusage)
	// Not our own rusage: its peak begins with our parent's.
	own, _ := os.ReadFile("/proc/self/status")
	if float64(usage.Maxrss) > field(own, "VmHWM:") { // false if ours is NaN
		p.exit.MaxRSSBytes = usage.Maxrss << 10 // both are in KiB
	}
}

// outlived waits for the rest of the family of a process that has ended. It returns the names of processes that
// are still there after that, and the CPU time in ns of those it waited for.
func (p *Process) outlived() (left []string, ns float64) {
	if asked, _ := p.signalled(); !asked || p.alone {
		return namesOf(lasting(carries(p.mark))), 0
	}
	took, told := map[int]float64{}, map[int]bool{}
	late, marked := after(max(p.grace, lastSteps)), carries(p.mark)
	over := func() bool {
		_, killed := p.signalled()
		return killed || late()
	}
	rest := outliving(over, marked, func(pid int) {
		if !told[pid] && proc.GroupOf(pid) != p.PID() { // the signal to the group missed it
			told[pid] = true
			send(unix.SIGTERM, pid, marked)
		}
		if x := proc.CPUNS(pid) + proc.ChildrenNS(pid); x > took[pid] {
			took[pid] = x
		}
	})
	for _, x := range took {
		ns += x
	}
	return namesOf(rest), ns
}

// signalled reports whether it was asked to end, and whether it was killed.
func (p *Process) signalled() (asked, killed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked, p.killed
}

// errNotStarted is returned by methods of a nil Process or VM.
var errNotStarted = errors.New("the scenario did not start its subject")

// PID returns the process ID, or 0 before the start.
func (p *Process) PID() int {
	if p == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// CPUs lists the CPUs that it may use, as read back from the kernel: "1", "2-3", or "" if it ended too soon.
func (p *Process) CPUs() string { return p.cpus }

// Threads describes where and how it ran at its start, before it executed anything.
func (p *Process) Threads() knob.Threads { return p.threads }

// StartNS returns the CLOCK_MONOTONIC time in ns just before it was started.
func (p *Process) StartNS() int64 { return p.startNS }

// Command returns its command line, the program first.
func (p *Process) Command() []string { return slices.Clone(p.cmd.Args) }

// Done returns a channel that is closed when it is gone; nil before the start.
func (p *Process) Done() <-chan struct{} {
	if p == nil {
		return nil
	}
	return p.done
}

// Wait waits until it ends by itself.
func (p *Process) Wait(ctx context.Context) (Exit, error) {
	if p == nil {
		return Exit{}, errNotStarted
	}
	select {
	case <-p.done:
		return p.exit, nil
	case <-ctx.Done():
		return Exit{}, fmt.Errorf("waiting for process %d: %w", p.PID(), context.Cause(ctx))
	}
}

// Kill ends it and its group at once, and returns when it is gone.
func (p *Process) Kill() {
	p.signal(unix.SIGKILL)
	<-p.done
}

func (p *Process) signal(s unix.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		p.asked, p.killed = true, p.killed || s == unix.SIGKILL
		unix.Kill(-p.PID(), s) // fails only if the whole group is gone
	}
}

// Stop sends SIGTERM, and kills the process when its grace is over or ctx ends. The error is a *Failure if the
// process was still running and had to be killed. The exit is returned in any case.
func (p *Process) Stop(ctx context.Context) (Exit, error) {
	if p == nil {
		return Exit{}, errNotStarted
	}
	p.signal(unix.SIGTERM)
	if p.within(ctx, p.grace) {
		return p.exit, nil
	}
	p.Kill()
	if err := ctx.Err(); err != nil {
		return p.exit, Failuref(kindInterrupted, "stopping %s: %w", p.cmd.Path, err)
	}
	f := Failuref(KindTimeout, "%s did not end within %s of SIGTERM and was killed", p.cmd.Path, p.grace)
	return p.exit, f.explain(p.log)
}

// within waits at most d for the end.
func (p *Process) within(ctx context.Context, d time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	_, err := p.Wait(ctx)
	return err == nil
}

// ended describes the end in words that fit after "it ended".
func (p *Process) ended() string {
	if _, err := strconv.Atoi(p.exit.Status); err == nil {
		return "exit status " + p.exit.Status
	}
	if p.exit.Status == "signal: killed" && !p.killed {
		return p.exit.Status + ", perhaps by the kernel, which kills when memory runs out: see dmesg"
	}
	return p.exit.Status
}

package run

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/knob"
	"moobench/harness/plan"
)

// watched is what invoke needs of a subject, whatever its kind.
type watched interface {
	Subject
	// ended is how it ended, once it has.
	ended() (jvm.Exit, bool)
	// end makes sure that it is gone, and says how it ended.
	end() life
}

// life is what became of a subject.
type life struct {
	command       []string
	cpus          string
	settings      map[string]string // its own, read back while it lived
	startNS       int64
	mainNS        int64        // 0: not known
	greeted, last jvm.Snapshot // at its hello, and just before it was asked to end
	lastKnown     bool
	exit          jvm.Exit
}

var errNotStarted = errors.New("the scenario did not start its subject")

// newSubject is a fixture JVM when the cell names a fixture, else a plain
// process.
func (r *Runner) newSubject(inv plan.Invocation, dir string, cmd command, cpus []int) watched {
	var own knob.Subject
	if r.Host.Quiet != nil {
		own = r.Host.Quiet.Subject()
	}
	c := jvm.Command{
		Args: cmd.args, Env: append(slices.Clip(cmd.env), "MOOBENCH_PAD="+strings.Repeat("x", inv.EnvPad)),
		Dir: dir, CPUs: cpus, Subject: own,
	}
	if cmd.java {
		c.Path, c.StartTimeout, c.Grace = r.java(inv.Cell).Path, inv.Cell.Timeout, inv.Cell.Timeout
		return &fixtureSubject{subject: subject{command: c}, late: cmd.late}
	}
	if c.Path, c.Args = cmd.args[0], cmd.args[1:]; cmd.work != "" {
		c.Work, c.Output = cmd.work, OutputName
	}
	return &processSubject{subject{command: c}}
}

// subject is what all kinds of it have in common.
type subject struct {
	command jvm.Command
	process *jvm.Process // nil until it is started
	life    life
}

// started takes down how a process was started.
func (s *subject) started(p *jvm.Process) {
	s.process = p
	s.life = life{command: p.Command(), cpus: p.CPUs(), startNS: p.StartNS(), settings: knob.ReadSubject(machine.System(), p.PID())}
}

// lastLook is taken before it is asked to end.
func (s *subject) lastLook() {
	last, err := s.process.Snapshot()
	s.life.last, s.life.lastKnown = last, err == nil
}

func (s *subject) PID() int {
	if s.process == nil {
		return 0
	}
	return s.process.PID()
}

func (s *subject) Done() <-chan struct{} {
	if s.process == nil {
		return nil
	}
	return s.process.Done()
}

func (s *subject) Snapshot() (jvm.Snapshot, error) {
	if s.process == nil {
		return jvm.Snapshot{}, errNotStarted
	}
	return s.process.Snapshot()
}

func (s *subject) Log() string { return filepath.Join(s.command.Dir, jvm.LogName) }

func (s *subject) ended() (jvm.Exit, bool) {
	select {
	case <-s.Done():
		exit, err := s.process.Wait(context.Background())
		return exit, err == nil
	default:
		return jvm.Exit{}, false
	}
}

// fixtureSubject is a JVM that speaks the fixture protocol.
type fixtureSubject struct {
	subject
	late lateAgent
	vm   *jvm.VM
}

func (s *fixtureSubject) Start(ctx context.Context) error {
	vm, err := jvm.Start(ctx, s.command)
	if err != nil {
		return err
	}
	s.vm = vm
	s.started(vm.Process)
	s.life.greeted = vm.Greeted()
	s.life.mainNS, err = vm.Hello().Int("main_ns")
	return err
}

func (s *fixtureSubject) Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error) {
	if s.vm == nil {
		return nil, errNotStarted
	}
	return s.vm.Ask(ctx, request)
}

func (s *fixtureSubject) Attach(ctx context.Context) error {
	if s.vm == nil {
		return errNotStarted
	}
	if s.late.jar == "" {
		return nil
	}
	return s.vm.Attach(ctx, s.late.jar, s.late.options)
}

func (s *fixtureSubject) Stop(ctx context.Context) (err error) {
	if s.vm == nil {
		return errNotStarted
	}
	s.lastLook()
	s.life.exit, err = s.vm.Stop(ctx)
	return err
}

func (s *fixtureSubject) end() life {
	if s.vm != nil {
		s.vm.Kill()
		// After Kill, Stop only tells how it went.
		s.life.exit, _ = s.vm.Stop(context.Background())
	}
	return s.life
}

// processSubject is a plain process.
type processSubject struct{ subject }

func (s *processSubject) Start(ctx context.Context) error {
	p, err := jvm.StartProcess(ctx, s.command)
	if err != nil {
		return err
	}
	s.started(p)
	return nil
}

func (s *processSubject) Wait(ctx context.Context) (jvm.Exit, error) {
	if s.process == nil {
		return jvm.Exit{}, errNotStarted
	}
	return s.process.Wait(ctx)
}

// Stop ends a process that has not ended by itself.
func (s *processSubject) Stop(ctx context.Context) error {
	if s.process == nil {
		return errNotStarted
	}
	s.lastLook()
	_, err := s.process.Stop(ctx)
	return err
}

// Output is where its standard output goes: its log, unless they are apart.
func (s *processSubject) Output() string {
	return filepath.Join(s.command.Dir, cmp.Or(s.command.Output, jvm.LogName))
}

func (s *processSubject) end() life {
	if s.process != nil {
		s.process.Kill()
		s.life.exit, _ = s.process.Wait(context.Background())
	}
	return s.life
}

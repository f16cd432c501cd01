package run

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"moobench/harness/jvm"
	"moobench/harness/plan"
)

// watched is what invoke needs of a subject, whatever its kind.
type watched interface {
	observed
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
	own := r.attributes()
	env := append(slices.Clip(cmd.env), "MOOBENCH_PAD="+strings.Repeat("x", inv.EnvPad))
	if cmd.java {
		return &fixtureSubject{late: cmd.late, config: jvm.Config{
			Java: r.java(inv.Cell).Path, Args: cmd.args, Env: env, Dir: dir, CPUs: cpus, Attributes: own,
			StartTimeout: inv.Cell.Timeout, Grace: inv.Cell.Timeout,
		}}
	}
	process := &processSubject{config: jvm.Command{
		Path: cmd.args[0], Args: cmd.args[1:], Env: env, Dir: dir, CPUs: cpus, Attributes: own,
	}}
	if cmd.work != "" {
		process.config.Work, process.config.Output = cmd.work, OutputName
	}
	return process
}

// fixtureSubject is a JVM that speaks the fixture protocol.
type fixtureSubject struct {
	config jvm.Config
	late   lateAgent
	vm     *jvm.VM
	life   life
}

func (s *fixtureSubject) Start(ctx context.Context) error {
	vm, err := jvm.Start(ctx, s.config)
	if err != nil {
		return err
	}
	s.vm = vm
	s.life = life{command: vm.Command(), cpus: vm.CPUs(), startNS: vm.StartNS(), greeted: vm.Greeted(), settings: ownSettings(vm.PID())}
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

func (s *fixtureSubject) Stop(ctx context.Context) error {
	if s.vm == nil {
		return errNotStarted
	}
	last, err := s.vm.Snapshot()
	s.life.last, s.life.lastKnown = last, err == nil
	s.life.exit, err = s.vm.Stop(ctx)
	return err
}

func (s *fixtureSubject) PID() int {
	if s.vm == nil {
		return 0
	}
	return s.vm.PID()
}

func (s *fixtureSubject) Log() string { return filepath.Join(s.config.Dir, jvm.LogName) }

func (s *fixtureSubject) Snapshot() (jvm.Snapshot, error) {
	if s.vm == nil {
		return jvm.Snapshot{}, errNotStarted
	}
	return s.vm.Snapshot()
}

// ended is not known of a JVM that is asked to end.
func (s *fixtureSubject) ended() (jvm.Exit, bool) { return jvm.Exit{}, false }

func (s *fixtureSubject) end() life {
	if s.vm != nil {
		s.vm.Kill()
		// After Kill, Stop only tells how it went.
		s.life.exit, _ = s.vm.Stop(context.Background())
	}
	return s.life
}

// processSubject is a plain process.
type processSubject struct {
	config jvm.Command
	p      *jvm.Process
	life   life
}

func (s *processSubject) Start(ctx context.Context) error {
	p, err := jvm.StartProcess(ctx, s.config)
	if err != nil {
		return err
	}
	s.p = p
	s.life = life{command: p.Command(), cpus: p.CPUs(), startNS: p.StartNS(), settings: ownSettings(p.PID())}
	return nil
}

func (s *processSubject) Wait(ctx context.Context) (jvm.Exit, error) {
	if s.p == nil {
		return jvm.Exit{}, errNotStarted
	}
	return s.p.Wait(ctx)
}

// Stop ends a process that has not ended by itself.
func (s *processSubject) Stop(ctx context.Context) error {
	if s.p == nil {
		return errNotStarted
	}
	last, err := s.p.Snapshot()
	s.life.last, s.life.lastKnown = last, err == nil
	_, err = s.p.Stop(ctx)
	return err
}

func (s *processSubject) PID() int {
	if s.p == nil {
		return 0
	}
	return s.p.PID()
}

func (s *processSubject) Log() string { return filepath.Join(s.config.Dir, jvm.LogName) }

// Output is where its standard output goes: its log, unless they are apart.
func (s *processSubject) Output() string {
	return filepath.Join(s.config.Dir, cmp.Or(s.config.Output, jvm.LogName))
}

// ended is how it ended, once it has.
func (s *processSubject) ended() (jvm.Exit, bool) {
	if s.p == nil {
		return jvm.Exit{}, false
	}
	select {
	case <-s.p.Done():
		exit, err := s.p.Wait(context.Background())
		return exit, err == nil
	default:
		return jvm.Exit{}, false
	}
}

func (s *processSubject) Snapshot() (jvm.Snapshot, error) {
	if s.p == nil {
		return jvm.Snapshot{}, errNotStarted
	}
	return s.p.Snapshot()
}

func (s *processSubject) end() life {
	if s.p != nil {
		s.p.Kill()
		s.life.exit, _ = s.p.Wait(context.Background())
	}
	return s.life
}

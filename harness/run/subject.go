package run

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/knob"
)

// life is what became of a subject.
type life struct {
	command       []string
	cpus          string
	settings      map[string]string // its own knobs, read back while it lived
	startNS       int64
	mainNS        int64        // 0: not known
	greeted, last jvm.Snapshot // at its hello, and just before it was asked to end
	lastKnown     bool
	exit          jvm.Exit
}

var (
	errNotStarted = errors.New("the scenario did not start its subject")
	errNoFixture  = errors.New("the subject is no fixture: it does not speak the fixture protocol")
)

// subject implements Subject: it is a fixture JVM or a plain process.
type subject struct {
	command jvm.Command
	env     []string     // the variant's, and that of the user's own program
	fixture bool         // it speaks the fixture protocol
	late    lateAgent    // of a fixture
	process *jvm.Process // nil until it is started
	vm      *jvm.VM      // nil until a fixture is started
	life    life
}

func (s *subject) Start(ctx context.Context) (err error) {
	if s.fixture {
		if s.vm, err = jvm.Start(ctx, s.command); err != nil {
			return err
		}
		s.process = s.vm.Process
	} else if s.process, err = jvm.StartProcess(ctx, s.command); err != nil {
		return err
	}
	p := s.process
	s.life = life{command: p.Command(), cpus: p.CPUs(), startNS: p.StartNS(), settings: knob.ReadSubject(machine.System(), p.PID())}
	if s.fixture {
		s.life.greeted = s.vm.Greeted()
		s.life.mainNS, err = s.vm.Hello().Int("main_ns")
	}
	return err
}

func (s *subject) Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error) {
	switch {
	case !s.fixture:
		return nil, errNoFixture
	case s.vm == nil:
		return nil, errNotStarted
	}
	return s.vm.Ask(ctx, request)
}

func (s *subject) Attach(ctx context.Context) error {
	switch {
	case s.process == nil:
		return errNotStarted
	case s.late.jar == "":
		return nil
	}
	return s.vm.Attach(ctx, s.late.jar, s.late.options)
}

func (s *subject) Wait(ctx context.Context) (jvm.Exit, error) {
	if s.process == nil {
		return jvm.Exit{}, errNotStarted
	}
	return s.process.Wait(ctx)
}

// Stop takes a last snapshot before the subject is asked to end.
func (s *subject) Stop(ctx context.Context) (err error) {
	if s.process == nil {
		return errNotStarted
	}
	s.life.last, err = s.process.Snapshot()
	s.life.lastKnown = err == nil
	return s.stop(ctx)
}

func (s *subject) stop(ctx context.Context) (err error) {
	if s.vm != nil {
		s.life.exit, err = s.vm.Stop(ctx)
	} else {
		s.life.exit, err = s.process.Stop(ctx)
	}
	return err
}

// end makes sure that the subject is gone, and says what became of it.
func (s *subject) end() life {
	if s.process != nil {
		s.process.Kill()
		_ = s.stop(context.Background()) // after Kill it only tells how the subject ended
	}
	return s.life
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

// ended says how the subject ended, once it has.
func (s *subject) ended() (jvm.Exit, bool) {
	select {
	case <-s.Done():
		exit, err := s.process.Wait(context.Background())
		return exit, err == nil
	default:
		return jvm.Exit{}, false
	}
}

func (s *subject) Snapshot() (jvm.Snapshot, error) {
	if s.process == nil {
		return jvm.Snapshot{}, errNotStarted
	}
	return s.process.Snapshot()
}

func (s *subject) Log() string { return filepath.Join(s.command.Dir, jvm.LogName) }

func (s *subject) Output() string {
	return filepath.Join(s.command.Dir, cmp.Or(s.command.Output, jvm.LogName))
}

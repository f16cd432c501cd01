package run

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strconv"

	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/knob"
)

// subject implements Subject: it is a fixture JVM or a plain process.
type subject struct {
	command      jvm.Command
	env          []string  // the variant's, and that of the user's own program
	fixture      bool      // it speaks the fixture protocol
	late         lateAgent // of a fixture
	*jvm.Process           // nil until it is started
	vm           *jvm.VM   // nil until a fixture is started

	settings map[string]string // its own knobs, read back while it lived
	mainNS   int64             // 0: not known
	last     jvm.Snapshot      // just before it was asked to end; the zero value: not known
	exit     jvm.Exit
}

func (s *subject) Start(ctx context.Context) (err error) {
	if !s.fixture {
		s.Process, err = jvm.StartProcess(ctx, s.command)
	} else if s.vm, err = jvm.Start(ctx, s.command); err == nil {
		s.Process = s.vm.Process
		s.mainNS, err = s.vm.Hello().Int("main_ns")
	}
	if s.Process != nil {
		s.settings = knob.ReadSubject(machine.System(), s.PID())
	}
	return err
}

func (s *subject) Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error) {
	if !s.fixture {
		return nil, errors.New("the subject is no fixture: it does not speak the fixture protocol")
	}
	return s.vm.Ask(ctx, request)
}

func (s *subject) Attach(ctx context.Context) error {
	if s.late.jar == "" {
		return nil
	}
	return s.vm.Attach(ctx, s.late.jar, s.late.options)
}

// Answering also reads the settings of what answers, where that is not what was started: a
// script can set them.
func (s *subject) Answering(port int) error {
	if s.Process == nil {
		return errors.New("the scenario did not start its subject")
	}
	pid, err := s.Process.Answering(port)
	if err == nil && pid != s.PID() {
		s.settings = knob.ReadSubject(machine.System(), pid)
	}
	return err
}

// holding says what keeps a JVM up whose program has ended: "" where nothing is known of that.
func (s *subject) holding() string {
	if s == nil || s.Process == nil {
		return ""
	}
	return s.Process.Holding()
}

// Stop takes a last snapshot before the subject is asked to end.
func (s *subject) Stop(ctx context.Context) error {
	s.last, _ = s.Snapshot() // one that is gone has none
	return s.stop(ctx)
}

func (s *subject) stop(ctx context.Context) (err error) {
	if s.vm != nil {
		s.exit, err = s.vm.Stop(ctx)
	} else {
		s.exit, err = s.Process.Stop(ctx)
	}
	return err
}

// ended says how the subject ended, once it has.
func (s *subject) ended() (jvm.Exit, bool) {
	select {
	case <-s.Done():
		exit, err := s.Wait(context.Background())
		return exit, err == nil
	default:
		return jvm.Exit{}, false
	}
}

// EndOf says how a program ended: exit status 1, or what else it was, such as a signal.
func EndOf(exit jvm.Exit) string {
	if _, err := strconv.Atoi(exit.Status); err != nil {
		return exit.Status
	}
	return "exit status " + exit.Status
}

func (s *subject) Log() string { return filepath.Join(s.command.Dir, jvm.LogName) }

func (s *subject) Output() string {
	return filepath.Join(s.command.Dir, cmp.Or(s.command.Output, jvm.LogName))
}

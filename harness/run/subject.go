package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/knob"
)

// subject implements Subject: it is a fixture JVM or a plain process.
type subject struct {
	command      jvm.Command
	env          []string  // of the variant, and of the user's own program
	fixture      bool      // it speaks the fixture protocol
	classPath    []string  // of a fixture: the only permitted sources of the measuring code
	late         lateAgent // of a fixture
	*jvm.Process           // nil until it is started
	vm           *jvm.VM   // nil until a fixture is started

	started func() // called when it is started; may be nil

	settings map[string]string // its own knobs, read back while it ran
	mainNS   int64             // 0: unknown
	last     jvm.Snapshot      // just before it was asked to end; zero: unknown
	exit     jvm.Exit
	owners   map[string]starter // of its threads, by name

	watched int          // pid of the measured process; 0: unknown
	threads knob.Threads // of watched, at its start
	moved   string       // how the threads' attributes differed at the end, in words
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
	if s.vm != nil && err == nil {
		s.watched, s.threads = s.PID(), s.Threads()
	}
	if s.started != nil && err == nil {
		s.started()
	}
	return err
}

func (s *subject) Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error) {
	if !s.fixture {
		return nil, errors.New("the subject is not a fixture: it does not speak the fixture protocol")
	}
	return s.vm.Ask(ctx, request)
}

func (s *subject) Attach(ctx context.Context) error {
	if s.late.jar == "" {
		return nil
	}
	return s.vm.Attach(ctx, s.late.jar, s.late.options)
}

// Answering also reads the settings of the listening process, if that is not the one started: a script can change
// them.
func (s *subject) Answering(port int) error {
	if s.Process == nil {
		return errors.New("the scenario did not start its subject")
	}
	pid, err := s.Process.Answering(port)
	if err == nil && pid != s.PID() {
		s.settings = knob.ReadSubject(machine.System(), pid)
	}
	if err == nil {
		s.watched, s.threads = pid, knob.ReadThreads(machine.System(), pid)
	}
	return err
}

// holding says what keeps alive a JVM whose program has ended; "": unknown.
func (s *subject) holding() string {
	if s == nil || s.Process == nil {
		return ""
	}
	return s.Process.Holding()
}

// Stop asks where the code came from and who started the threads, and takes a last snapshot, before it asks the
// subject to end.
func (s *subject) Stop(ctx context.Context) error {
	err := s.code(ctx)
	if err != nil {
		return err
	}
	if s.owners, err = s.whose(ctx); err != nil {
		return err
	}
	if s.watched > 0 {
		s.moved = s.threads.Changed(knob.ReadThreads(machine.System(), s.watched))
	}
	s.last, _ = s.Snapshot() // fails if the process is gone
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

// kindCode is the failure of a fixture whose classes are not those that were built.
const kindCode = "code"

// fewClasses is the maximum number of foreign classes named.
const fewClasses = 3

// code checks that both the measuring and the measured code came from the fixture's jars. An agent whose manifest
// has a Boot-Class-Path may put its own classes first.
func (s *subject) code(ctx context.Context) error {
	if s.vm == nil {
		return nil
	}
	answer, err := s.vm.Ask(ctx, jvm.Message{Verb: "code"})
	if err != nil {
		return err
	}
	var jars []os.FileInfo
	for _, path := range s.classPath {
		if info, err := os.Stat(path); err == nil {
			jars = append(jars, info)
		}
	}
	var foreign []string
	for _, m := range answer[:len(answer)-1] {
		name, from := m.String("name"), m.String("from")
		info, err := os.Stat(from)
		if err == nil && slices.ContainsFunc(jars, func(jar os.FileInfo) bool { return os.SameFile(jar, info) }) {
			continue
		}
		foreign = append(foreign, fmt.Sprintf("%s from %s", name, cmp.Or(from, "the boot class path")))
	}
	if len(foreign) > fewClasses {
		foreign = append(foreign[:fewClasses], fmt.Sprintf("%d more", len(foreign)-fewClasses))
	}
	if len(foreign) > 0 {
		return jvm.Failuref(kindCode, "what ran is not the fixture that was built: %s; "+
			"an agent has put classes of its own in front of it", strings.Join(foreign, ", "))
	}
	return nil
}

// ended returns how the subject ended, if it has.
func (s *subject) ended() (jvm.Exit, bool) {
	select {
	case <-s.Done():
		exit, err := s.Wait(context.Background())
		return exit, err == nil
	default:
		return jvm.Exit{}, false
	}
}

// EndOf describes a program's end: "exit status 1", or else the reason, such as a signal.
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

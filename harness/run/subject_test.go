package run

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/jvm"
	"moobench/results"
)

// TestWhoseThreads: a thread is the fixture's or an agent's, as its class says; a name of both is nobody's.
func TestWhoseThreads(t *testing.T) {
	a := played(t, "threads thread name=worker class=a.B from=/opt/agent.jar|"+
		"thread name=caller class=moobench.C from=/f/calls/target/calls.jar|"+
		"thread name=both class=a.B from=/opt/agent.jar|"+
		"thread name=both class=moobench.C from=/f/kernel/target/kernel.jar|"+
		"thread name=twice class=a.B from=/opt/agent.jar|thread name=twice class=a.C from=/opt/agent.jar|threads",
		"threads error message=\"no such method\"", "threads nonsense")
	s := a.subject
	s.classPath = []string{"/f/kernel/target/kernel.jar", "/f/calls/target/calls.jar", "/opt/agent.jar"}
	if got, err := s.whose(t.Context()); got != nil || err != nil {
		t.Errorf("of no JVM: %v, %v", got, err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := s.whose(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]starter{
		"worker": {results.ThreadsAgent, "a.B"}, "caller": {results.ThreadsApplication, "moobench.C"},
		"both": {}, "twice": {results.ThreadsAgent, "a.C"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(starter{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := s.whose(t.Context()); got != nil || err != nil {
		t.Errorf("one that can't tell: %v, %v", got, err)
	}
	if got, err := s.whose(t.Context()); err == nil {
		t.Errorf("one that talks nonsense: %v", got)
	}
}

// TestCodeOfAFixture: what ran came from the jars of its class path; few of the others are named.
func TestCodeOfAFixture(t *testing.T) {
	jar, other := filepath.Join(t.TempDir(), "calls.jar"), filepath.Join(t.TempDir(), "other.jar")
	write(t, jar, "x")
	write(t, other, "x")
	line := func(name, from string) string { return "class name=" + name + " from=\"" + from + "\"|" }
	foreign := func(names ...string) (all string) {
		for _, n := range names {
			all += line(n, "")
		}
		return all
	}
	cases := []struct{ says, want string }{
		{line("A", jar) + line("B", jar), ""},
		{"", ""},
		{line("A", jar) + line("B", other), "is not the fixture that was built: B from " + other + "; an agent"},
		{line("A", jar+".gone"), "A from " + jar + ".gone; "},
		{foreign("A"), "built: A from the boot class path; "},
		{foreign("A", "B", "C"), "B from the boot class path, C from the boot class path; "},
		{foreign("A", "B", "C", "D", "E"), "C from the boot class path, 2 more; "},
	}
	var answers []string
	for _, c := range cases {
		answers = append(answers, "code "+c.says+"code")
	}
	a := played(t, answers...)
	s := a.subject
	s.classPath = []string{"/gone.jar", jar}
	if err := s.code(t.Context()); err != nil {
		t.Errorf("of no JVM: %v", err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		err := s.code(t.Context())
		f, _ := errors.AsType[*jvm.Failure](err)
		if c.want == "" && err == nil {
			continue
		}
		if f == nil || f.Kind != kindCode || !strings.Contains(f.Message, c.want) || c.want == "" {
			t.Errorf("%q: %v, want %q", c.says, err, c.want)
		}
	}
}

// TestSubjectThatIsNone: what a plain process can't do is said, or is nothing.
func TestSubjectThatIsNone(t *testing.T) {
	s := &subject{command: jvm.Command{Path: "/bin/sh", Args: []string{"-c", "exit 3"}, Dir: t.TempDir()}}
	if said := s.holding() + (*subject)(nil).holding(); said != "" {
		t.Errorf("held by %s", said)
	}
	if err := s.Answering(1); err == nil || !strings.Contains(err.Error(), "did not start") {
		t.Errorf("it answers: %v", err)
	}
	if err := s.Attach(t.Context()); err != nil {
		t.Errorf("there is no agent to attach: %v", err)
	}
	if _, err := s.Ask(t.Context(), jvm.Message{Verb: "gc"}); err == nil {
		t.Error("it was asked")
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if exit, ended := s.ended(); !ended || exit.Status != "3" || EndOf(exit) != "exit status 3" {
		t.Errorf("%+v, %t", exit, ended)
	}
	if s.watched != 0 || s.settings == nil {
		t.Errorf("watched is %d; settings %v", s.watched, s.settings)
	}
	if got := EndOf(jvm.Exit{Status: "SIGKILL"}); got != "SIGKILL" {
		t.Errorf("its end is %q", got)
	}
}

// TestEndOfAFixture: it is asked where its code and its threads are from, looked at, and then ends.
func TestEndOfAFixture(t *testing.T) {
	a := played(t)
	s, began := a.subject, 0
	s.started = func() { began++ }
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.watched != s.PID() || began != 1 || s.mainNS != 1 || s.settings == nil {
		t.Errorf("watched is %d, begun %d times, main at %d", s.watched, began, s.mainNS)
	}
	if _, ended := s.ended(); ended {
		t.Error("it has ended")
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if exit, ended := s.ended(); !ended || exit.Status != "0" || s.exit.Status != "0" {
		t.Errorf("it goes on: %+v", exit)
	}
	if s.last.MonotonicNS == 0 || s.owners == nil || s.moved != "" {
		t.Errorf("last seen at %d; threads of %v; moved %q", s.last.MonotonicNS, s.owners, s.moved)
	}
}

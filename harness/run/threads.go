package run

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"moobench/harness/jvm"
	"moobench/results"
)

// starter is who started a thread, by the class that tells.
type starter struct {
	group results.ThreadGroup
	class string
}

// whose asks a fixture who started its threads, and returns that by their names as the kernel keeps
// them. A thread is the application's where the class that tells came with the fixture, else the
// variant's. Of names that both have nothing is known, nor of a JVM that can't say.
func (s *subject) whose(ctx context.Context) (map[string]starter, error) {
	if s.vm == nil {
		return nil, nil
	}
	answer, err := s.vm.Ask(ctx, jvm.Message{Verb: "threads"})
	if f, ok := errors.AsType[*jvm.Failure](err); ok && f.Kind == jvm.KindRefused {
		return nil, nil // an agent has changed what it would be asked by
	}
	if err != nil {
		return nil, err
	}
	all := map[string]starter{}
	for _, m := range answer[:len(answer)-1] {
		one := starter{group: results.ThreadsAgent, class: m.String("class")}
		if s.isFixtures(m.String("from")) {
			one.group = results.ThreadsApplication
		}
		name := jvm.ThreadName(m.String("name"))
		if other, there := all[name]; there && other.group != one.group {
			one = starter{}
		}
		all[name] = one
	}
	return all, nil
}

// ownJars is how many jars on the class path of a fixture are its own: the kernel's and its; what
// these need lies beside them. What the variant adds follows.
const ownJars = 2

// isFixtures says whether code from a jar is the fixture's.
func (s *subject) isFixtures(from string) bool {
	return slices.ContainsFunc(s.classPath[:min(ownJars, len(s.classPath))], func(jar string) bool {
		return from != "" && strings.HasPrefix(from, filepath.Dir(jar)+string(filepath.Separator))
	})
}

// mostNames is how many names of threads are kept.
const mostNames = 64

// threadsIn is who took the CPU time between two snapshots of the subject; nil where that is not
// known.
func (s *subject) threadsIn(begin, end jvm.Snapshot) *results.Threads {
	ran, ended := end.RanSince(begin)
	if len(ran) == 0 {
		return nil
	}
	return &results.Threads{ProcessNS: end.CPUNS - begin.CPUNS, EndedNS: ended, Names: s.named(ran)}
}

// named are the threads that are kept, with whose they are.
func (s *subject) named(ran []jvm.RunTime) (all []results.ThreadTime) {
	for _, t := range ran {
		if len(all) == mostNames {
			rest := &all[mostNames-1]
			*rest = results.ThreadTime{Threads: rest.Threads + t.Threads, RunNS: rest.RunNS + t.RunNS}
			continue
		}
		one := results.ThreadTime{Name: t.Name, Threads: t.Threads, RunNS: t.RunNS, Group: jvm.Group(t.Name)}
		if one.Group == "" {
			one.Group, one.Class = s.owners[t.Name].group, s.owners[t.Name].class
		}
		all = append(all, one)
	}
	return all
}

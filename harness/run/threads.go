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

// starter identifies who started a thread. class is the class that reveals it.
type starter struct {
	group results.ThreadGroup
	class string
}

// whose asks a fixture who started its threads, and returns the starters by the threads' kernel names. A thread is
// the application's if the revealing class is from the fixture's jars, else the variant's. A name used by both has
// the zero starter; the map is nil if the JVM can't tell.
func (s *subject) whose(ctx context.Context) (map[string]starter, error) {
	if s.vm == nil {
		return nil, nil
	}
	answer, err := s.vm.Ask(ctx, jvm.Message{Verb: "threads"})
	if f, ok := errors.AsType[*jvm.Failure](err); ok && f.Kind == jvm.KindRefused {
		return nil, nil // an agent has altered the methods that answer this
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

// ownJars is the number of the fixture's own jars at the start of its class path: the kernel's and its own, with
// their dependencies beside them. The variant's jars follow.
const ownJars = 2

// isFixtures reports whether code from a jar is the fixture's.
func (s *subject) isFixtures(from string) bool {
	return slices.ContainsFunc(s.classPath[:min(ownJars, len(s.classPath))], func(jar string) bool {
		return from != "" && strings.HasPrefix(from, filepath.Dir(jar)+string(filepath.Separator))
	})
}

// mostNames is the maximum number of thread names kept.
const mostNames = 64

// threadsIn attributes the CPU time between two snapshots of the subject to threads; nil: unknown.
func (s *subject) threadsIn(begin, end jvm.Snapshot) *results.Threads {
	ran, ended := end.RanSince(begin)
	if len(ran) == 0 {
		return nil
	}
	return &results.Threads{ProcessNS: end.CPUNS - begin.CPUNS, EndedNS: ended, Names: s.named(ran)}
}

// named returns the threads to keep, with their groups.
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

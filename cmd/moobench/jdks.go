package main

import (
	"fmt"
	"path/filepath"

	"moobench/cmd/internal/demand"
	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/strict"
	"moobench/results"
)

// planOf plans a file, with the JDKs that it names, and with all that its
// profile wishes of the machine.
func (t *terminal) planOf(f *config.File, set *framework.Set, seed uint64) (*plan.Plan, error) {
	jdks, err := jdksOf(f)
	if err != nil {
		return nil, err
	}
	p, err := plan.New(f, set, t.planScenarios(), jdks, seed)
	if err != nil {
		return nil, err
	}
	if c := p.Campaign.Control; c != nil {
		c.Wishes = nil
		for _, w := range demand.Wishes(f.Machine) {
			c.Wishes = append(c.Wishes, results.KnobState{Name: w.Knob, Wanted: w.Value, Policy: w.Policy})
		}
	}
	return p, nil
}

// jdksOf finds out which JDKs are in the folders of [jvm] homes. Those are, like
// the paths of agents, relative to the file's own folder.
func jdksOf(f *config.File) ([]plan.JDK, error) {
	var all []plan.JDK
	var errs strict.Errors
	for i, home := range f.JVM.Homes {
		home, err := fromFile(f, home)
		if err != nil {
			return nil, err
		}
		java, err := jvm.Find(home)
		if err != nil {
			errs = append(errs, f.Errorf([]any{"jvm", "homes", i}, "name the folder of a JDK, the one that holds bin/java", "%v", err))
			continue
		}
		all = append(all, plan.JDK{Home: java.Home, Version: java.Version, Major: java.Major})
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return all, nil
}

// fromFile is the path of a folder that a file names, absolute: subjects are
// started elsewhere. "" stays what it is.
func fromFile(f *config.File, folder string) (string, error) {
	if folder == "" || filepath.IsAbs(folder) {
		return folder, nil
	}
	path, err := filepath.Abs(filepath.Join(filepath.Dir(f.Path), folder))
	if err != nil {
		return "", fmt.Errorf("looking for Java in %s: %w", folder, err)
	}
	return path, nil
}

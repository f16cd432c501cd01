package main

import (
	"strings"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
)

// planOf plans a file, with the JDKs that it names.
func (t *terminal) planOf(f *config.File, set *framework.Set, seed uint64) (*plan.Plan, error) {
	jdks, err := jdksOf(f)
	if err != nil {
		return nil, err
	}
	return plan.New(f, set, t.planScenarios(), jdks, seed)
}

// jdksOf finds out which JDKs are in the folders of [jvm] homes.
func jdksOf(f *config.File) ([]plan.JDK, error) {
	var all []plan.JDK
	var errs config.Errors
	for i, home := range f.JVM.Homes {
		java, err := jvm.Find(home)
		if err != nil {
			text, _, _ := strings.Cut(err.Error(), "\nhint: ")
			errs = append(errs, f.Errorf([]any{"jvm", "homes", i}, "name the folder of a JDK, the one that holds bin/java", "%s", text))
			continue
		}
		all = append(all, plan.JDK{Home: java.Home, Version: java.Version, Major: java.Major})
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return all, nil
}

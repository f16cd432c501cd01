package plan

import "moobench/results"

// Environment are the factors that any [[scenario]] may set, of what a cell runs in,
// whatever the scenario does. None has a default.
func Environment() []results.Parameter {
	return []results.Parameter{
		{
			Name: results.FactorFrequency, Type: results.TypeEnum, Values: []string{"scaling", "fixed"}, Factor: true,
			About: "of the CPUs: it follows the load, or stays at the base frequency",
		},
		{Name: results.FactorCPUs, Type: results.TypeInt, Unit: "CPUs", Min: 1, Factor: true, About: "how many CPUs the fixture has"},
		{
			Name: results.FactorGC, Type: results.TypeEnum, Values: []string{"serial", "parallel", "g1", "z", "shenandoah", "epsilon"}, Factor: true,
			About: "the garbage collector",
		},
		{
			Name: results.FactorJDK, Type: results.TypeString, Factor: true,
			About: `those of [jvm] homes that are measured: versions, or what they begin with, such as "17"`,
		},
		{
			Name: results.FactorJVM, Type: results.TypeOptions, Factor: true,
			About: `options behind [jvm] args, such as "-Xint"; "" is none`,
		},
	}
}

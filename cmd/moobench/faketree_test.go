package main

import (
	"cmp"
	"fmt"
	"os"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/session"
	"moobench/harness/machine"
	"moobench/internal/testmachine"
	"moobench/scenarios"
)

// Environment variables that only the test binary understands: the folder that
// stands in for the machine, and the file with the rules of its kernel.
const (
	treeVar  = "MOOBENCH_TEST_TREE"
	rulesVar = "MOOBENCH_TEST_RULES"
)

// fixedSeed is that of each campaign that a test gives none: no test depends on a draw.
func fixedSeed() uint64 { return 20140901 }

// mainOnTree is main, with a fixed seed, and on a machine in a folder where one is named.
func mainOnTree() {
	t := &terminal{session.Lab{Console: console.Console{Out: os.Stdout, Err: os.Stderr}, Scenarios: scenarios.All(), Tree: machine.System(), Seed: fixedSeed}}
	if dir := os.Getenv(treeVar); dir != "" {
		text, err := os.ReadFile(os.Getenv(rulesVar))
		rules, wrong := testmachine.ParseRules(string(text))
		if err := cmp.Or(err, wrong); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(exitError)
		}
		t.Tree = testmachine.Dir(dir, rules)
	}
	os.Exit(t.run(untilAsked(), os.Args[1:]))
}

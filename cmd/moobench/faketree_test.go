package main

import (
	"cmp"
	"fmt"
	"os"

	"moobench/internal/testmachine"
	"moobench/scenarios"
)

// Environment variables that only the test binary understands: the folder that
// stands in for the machine, and the file with the rules of its kernel.
const (
	treeVar  = "MOOBENCH_TEST_TREE"
	rulesVar = "MOOBENCH_TEST_RULES"
)

// mainOnTree is main, on a machine in a folder where one is named.
func mainOnTree() {
	dir := os.Getenv(treeVar)
	if dir == "" {
		main()
		return
	}
	text, err := os.ReadFile(os.Getenv(rulesVar))
	rules, wrong := testmachine.ParseRules(string(text))
	if err := cmp.Or(err, wrong); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitError)
	}
	t := &terminal{out: os.Stdout, err: os.Stderr, scenarios: scenarios.All(), tree: testmachine.Dir(dir, rules)}
	os.Exit(t.run(untilAsked(), os.Args[1:]))
}

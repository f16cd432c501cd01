package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/txtar"

	"moobench/harness/machine/machinetest"
	"moobench/scenarios"
)

// Environment variables that only the test binary understands: the folder that
// stands in for the machine, and the file with the rules of its kernel.
const (
	treeVar  = "MOOBENCH_TEST_TREE"
	rulesVar = "MOOBENCH_TEST_RULES"
)

// machines is where the trees are, from this package's folder.
var machines = filepath.Join("..", "..", "harness", "machine", "testdata")

// mainOnTree is main, on a machine in a folder where one is named.
func mainOnTree() {
	dir := os.Getenv(treeVar)
	if dir == "" {
		main()
		return
	}
	text, err := os.ReadFile(os.Getenv(rulesVar))
	rules, wrong := machinetest.ParseRules(string(text))
	if err := cmp.Or(err, wrong); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitError)
	}
	t := &terminal{out: os.Stdout, err: os.Stderr, scenarios: scenarios.All(), tree: machinetest.Dir(dir, rules)}
	os.Exit(t.run(untilAsked(), os.Args[1:]))
}

// saveTree writes a machine into a folder, and its rules into a file.
func saveTree(archive, tree, rules string) error {
	k, err := machinetest.Load(archive)
	if err != nil {
		return err
	}
	a, err := txtar.ParseFile(archive)
	if err != nil {
		return err
	}
	return cmp.Or(k.Save(tree), os.WriteFile(rules, a.Comment, 0o666))
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/session"
	"moobench/harness/machine"
	"moobench/harness/receiver"
	"moobench/internal/testmachine"
	"moobench/scenarios"
)

// main is that of moobench with a fixed seed, on a machine in a folder where one is named. It has a verb
// more: receive FORMAT sends a line of text to a receiver.
func main() {
	if len(os.Args) == 3 && os.Args[1] == "receive" {
		if err := receive(context.Background(), os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(exitError)
		}
		return
	}
	t := &terminal{session.Lab{Console: console.Console{Out: os.Stdout, Err: os.Stderr}, Scenarios: scenarios.All(), Tree: machine.System(), Seed: func() uint64 { return 20140901 }}}
	if dir := os.Getenv("MOOBENCH_TEST_TREE"); dir != "" {
		text, err := os.ReadFile(os.Getenv("MOOBENCH_TEST_RULES"))
		rules, wrong := testmachine.ParseRules(string(text))
		if err := errors.Join(err, wrong); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(exitError)
		}
		t.Tree = testmachine.Dir(dir, rules)
	}
	os.Exit(t.run(untilAsked(), os.Args[1:]))
}

func receive(ctx context.Context, format string) error {
	source, err := receiver.Open(ctx, format, "", nil, "")
	if err != nil {
		return err
	}
	defer source.Close()
	c, err := net.Dial("tcp4", "127.0.0.1:"+source.Vars()["port"])
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := fmt.Fprintln(c, "a record"); err != nil {
		return err
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		return err
	}
	tally, err := source.Finish(ctx)
	fmt.Printf("records: %d\n", tally.Records)
	return err
}

package main

import (
	"errors"
	"fmt"
	"strings"

	"moobench/analysis/figure"
	"moobench/harness/machine"
)

// restore is moobench doctor --restore. The lock keeps a run from starting
// meanwhile.
func (t *terminal) restore() (err error) {
	release, err := machine.Lock(machine.LockPath(), "doctor --restore")
	if err != nil {
		return stillRunning(err)
	}
	defer func() { err = errors.Join(err, release()) }()
	left, err := machine.Leftover(t.tree, machine.JournalPath())
	if err != nil {
		return err
	}
	if left == nil {
		fmt.Fprintln(t.out, "nothing to put back: no moobench left anything changed on this machine")
		return nil
	}
	fmt.Fprintln(t.out, visible(left.String()))
	done, err := left.Restore()
	if err != nil {
		return err
	}
	t.printRestored(done)
	if n := len(done.Problems); n > 0 {
		return fmt.Errorf("%s could not be put back\nhint: do what is said above, then: moobench doctor --restore", figure.Plural(n, "setting", "settings"))
	}
	return nil
}

// stillRunning is the error of somebody who holds the machine.
func stillRunning(err error) error {
	var held *machine.HeldError
	if !errors.As(err, &held) {
		return err
	}
	who := "another moobench"
	if held.PID > 0 {
		who = fmt.Sprintf("moobench (process %d, campaign %s)", held.PID, held.Campaign)
	}
	return fmt.Errorf("%s is measuring on this machine: it puts back what it changed itself\nhint: wait until it is done, or interrupt it", who)
}

func (t *terminal) printRestored(r machine.Restored) {
	say := func(mark string, sentences []string) {
		for _, s := range sentences {
			paragraph(t.out, fmt.Sprintf(" %-2s  ", mark), visible(s), "", t.width())
		}
	}
	say("ok", r.Done)
	say("!", r.Left)
	say("x", r.Problems)
	switch {
	case len(r.Problems) > 0:
	case len(r.Left) > 0:
		fmt.Fprintln(t.out, "the rest is as it was found; what somebody else changed was left to them")
	default:
		fmt.Fprintln(t.out, "everything is as it was found")
	}
}

// leftChanged is what moobench doctor says first.
func (t *terminal) leftChanged() []finding {
	const topic = "left changed"
	left, err := machine.Leftover(t.tree, machine.JournalPath())
	switch {
	case err != nil:
		text, do, _ := strings.Cut(err.Error(), "\nhint: ")
		return []finding{{State: note, Topic: topic, Text: text, Do: do}}
	case left == nil:
		return nil
	}
	return []finding{{State: note, Topic: topic, Text: left.String(), Do: "moobench doctor --restore"}}
}

// warnLeftover says, before any other verb does its work, that the machine is
// not as it was found.
func (t *terminal) warnLeftover() {
	for _, f := range t.leftChanged() {
		fmt.Fprintf(t.err, "moobench: warning: %s\nmoobench: hint: %s\n", visible(f.Text), visible(f.Do))
	}
}

package doctor

import (
	"errors"
	"fmt"
	"io"

	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/harness/machine"
	"moobench/refusal"
)

// Restore undoes the changes that a moobench left when it died, and reports them on w. The lock
// keeps a run from starting meanwhile.
func Restore(w io.Writer, width int, tree machine.Tree) (err error) {
	release, err := machine.Lock(machine.LockPath(), "doctor --restore")
	if held := (*machine.HeldError)(nil); errors.As(err, &held) {
		holder := "another moobench"
		if held.PID > 0 {
			holder = fmt.Sprintf("moobench (process %d, campaign %s)", held.PID, held.Campaign)
		}
		return refusal.New(fmt.Errorf("%s is measuring on this machine: it puts back what it changed itself", holder),
			"wait until it is done, or interrupt it")
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	kept, err := machine.SetAside(machine.JournalPath())
	if err != nil {
		return err
	}
	if kept != "" {
		fmt.Fprintln(w, doc.Clean("the journal held nothing that could be undone, "+
			"and moobench writes none like that: it is kept as "+kept))
	}
	left, err := machine.Leftover(tree, machine.JournalPath())
	if err != nil {
		return err
	}
	if left == nil {
		fmt.Fprintln(w, "nothing to put back: no moobench left anything changed on this machine")
		return nil
	}
	fmt.Fprintln(w, doc.Clean(left.String()))
	done, err := left.Restore()
	if err != nil {
		return err
	}
	sentences := &doc.Entries{}
	for i, texts := range [][]string{done.Done, done.Left, done.Problems} {
		for _, text := range texts {
			sentences.Items = append(sentences.Items, doc.Entry{Mark: []string{"ok", "!", "x"}[i], Term: text})
		}
	}
	section := &doc.Section{Silent: true, Flush: true, Blocks: []doc.Block{sentences}}
	document := &doc.Document{Blocks: []doc.Block{section}}
	if err := doc.Text(w, document, doc.TextOptions{Width: width}); err != nil {
		return err
	}
	switch n := len(done.Problems); {
	case n > 0:
		return refusal.New(fmt.Errorf("%s could not be put back", figure.Plural(n, "setting", "settings")),
			"do as the lines above say, then: moobench doctor --restore")
	case len(done.Left) > 0:
		fmt.Fprintln(w, "the rest is as it was found; what somebody else changed was left alone")
	default:
		fmt.Fprintln(w, "everything is as it was found")
	}
	return nil
}

// LeftChanged returns the finding about changes that a moobench left when it died, if there are
// any.
func LeftChanged(tree machine.Tree) []Finding {
	const topic = "left changed"
	left, err := machine.Leftover(tree, machine.JournalPath())
	switch {
	case err != nil:
		return []Finding{finding(note, topic, err)}
	case left == nil:
		return nil
	}
	return []Finding{{State: note, Topic: topic, Text: left.String(), Do: "moobench doctor --restore"}}
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/session"
	"moobench/harness/machine"
	"moobench/internal/testmachine"
)

// machineCommand is "machine NAME [RULE…]" of scripts: moobench then takes that
// machine of internal/testmachine for its own, unpacked in $WORK/machine. A
// rule is in quotes.
func machineCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: machine NAME [RULE…]")
	}
	dir, rules := ts.MkAbs("machine"), ts.MkAbs("rules")
	ts.Check(os.RemoveAll(dir))
	ts.Check(testmachine.Save(args[0], dir, rules))
	f, err := os.OpenFile(rules, os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	fmt.Fprint(f, "\n"+strings.Join(args[1:], "\n"))
	ts.Check(f.Close())
	ts.Setenv(treeVar, dir)
	ts.Setenv(rulesVar, rules)
}

func TestWarnLeftover(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	t.Setenv(machine.JournalVar, journal)
	for _, tt := range []struct{ journal, want string }{
		{"", ""},
		{"{", "moobench: warning: reading the journal"},
		{`{"format": 1, "pid": 4194304, "start": "1", "campaign": "out", "entries": [{"knob": "swappiness", "path": "proc/sys/vm/swappiness", "found": "x", "got": null}]}`, "moobench: warning: moobench (process 4194304, campaign out) ended without"},
	} {
		if tt.journal != "" {
			if err := os.WriteFile(journal, []byte(tt.journal), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var said strings.Builder
		(&terminal{session.Lab{Console: console.Console{Err: &said}, Tree: machine.System()}}).warnLeftover()
		hinted := strings.Contains(said.String(), "\nmoobench: hint: ")
		if !strings.HasPrefix(said.String(), tt.want) || hinted != (tt.want != "") || tt.want == "" && said.Len() > 0 {
			t.Errorf("%q: %s", tt.journal, said.String())
		}
	}
}

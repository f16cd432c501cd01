package session

import (
	"path/filepath"
	"strings"
	"testing"

	"moobench/harness/machine"
	"moobench/internal/testmachine"
	"moobench/results"
)

// TestQuietenAndBack: the machine is set as [machine] asks and described like that, and what was found is put
// back; how many settings those were is said where it is not to be quiet, and there are any.
func TestQuietenAndBack(t *testing.T) {
	const thp = "sys/kernel/mm/transparent_hugepage/enabled"
	set := func(knobs string) string {
		return strings.Replace(previewed["watched"], `thp = { policy = "observe" }`, knobs, 1)
	}
	for name, c := range map[string]struct {
		knobs string
		quiet bool
		got   string // the value of thp meanwhile
		says  string
	}{
		"one": {`thp = "never"`, false, "never", "the machine is as it was found: 1 setting put back\n"},
		"two": {
			"thp = \"never\"\nnuma_balancing = \"off\"", false, "never",
			"the machine is as it was found: 2 settings put back\n",
		},
		"quietly":  {`thp = "never"`, true, "never", ""},
		"observed": {`thp = { policy = "observe" }`, false, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, out, said := planned(t, set(c.knobs), Options{Quiet: c.quiet})
			t.Setenv(machine.JournalVar, filepath.Join(t.TempDir(), "machine.journal"))
			kernel := s.lab.Tree.(*testmachine.Kernel)
			before := kernel.Content()[thp]
			m := &measuring{Session: s, dir: "x"}
			undo, err := m.quieten(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			knob := results.Find(m.host.Knobs, func(k *results.KnobState) bool { return k.Name == "thp" })
			is := kernel.Content()[thp]
			set := c.got != ""
			if knob == nil || knob.Wanted != c.got || set && knob.Got != c.got || (is == before) == set {
				t.Errorf("meanwhile it is %q, described as %+v", is, knob)
			}
			if err := undo(); err != nil {
				t.Error(err)
			}
			if got := kernel.Content()[thp]; got != before || said.String() != c.says || out.Len() > 0 {
				t.Errorf("afterwards it is %q, and was %q; said %q, want %q", got, before, said.String(), c.says)
			}
		})
	}
}

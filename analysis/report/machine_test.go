package report

import (
	"fmt"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// The page tells how the machine stood, which invocations stand out, and what
// became of them.
func TestMachineOnThePage(t *testing.T) {
	s := testcampaign.Repeated()
	s.Made.Control.QuietNS = 300e9
	old := *s.Runs[0]
	old.Superseded = true
	s.Runs = append(s.Runs, &old)
	page := string(htmlOf(t, analyse(t, s), nil))
	for _, want := range []string{
		`<li>quiet: profile fixed-hardware · turbo off · governor performance`,
		`smt stays on (not supported here): recorded, went on`,
		`changed between sessions: governor (schedutil, then performance), microcode (0x2a, then 0x2b)`,
		`<th scope="row">smt</th><td>on</td><td>off</td><td class="warn">! on</td><td>try</td><td>not supported here</td>`,
		`<th scope="row">energy_preference</th><td></td><td>performance</td><td class="warn">! not known</td>`,
		`<th scope="row">turbo</th><td>on</td><td>off</td><td>off</td>`,
		`2 states, the earliest first`, `Waits up to 300.0 s`,
		`<td>kieker/bci/tcp</td><td>governor powersave</td><td>governor was changed from performance to powersave</td><td>no: it stays in</td>`,
		`<td>as b0015.s02.r0, and still counts</td>`, `disturbed, repeated`, `· governor powersave · disturbed ·`,
		`3 extra · 3 of these for disturbed ones`, `which were started again: ` + old.Identity.String(),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestManyChangesInOneLine(t *testing.T) {
	h := host{Machine: &results.Machine{}}
	for i := range 6 {
		h.Changed = append(h.Changed, analysis.Changed{What: fmt.Sprint("knob", i), Values: []string{"a", ""}})
	}
	want := "changed between sessions: knob0 (a, then not known), knob1 (a, then not known), knob2 (a, then not known), knob3 (a, then not known), 2 other things"
	if got := h.change(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

package run

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// TestEstimateOfAPlan: a plan takes what its invocations do, those of timing no longer than the limit of their
// scenario; a pilot that has not decided adds what it may take, and the most calls that it may find.
func TestEstimateOfAPlan(t *testing.T) {
	const start = plainStart
	order := []string{"c0", "c1"}
	block := func(kind results.BlockKind, p results.Profile) results.Block {
		return results.Block{Kind: kind, Profile: p, Order: order}
	}
	timing := block(results.BlockPlanned, results.ProfileTiming)
	memory := block(results.BlockPlanned, results.ProfileResources)
	extra := block(results.BlockExtra, results.ProfileTiming)
	unknown := results.Block{Profile: results.ProfileTiming, Order: []string{"c9"}}
	settling := &results.Settling{WithinNS: int64(time.Second)}
	const pilot, pilotCost = time.Second, 2 * (pilotRuns*start + pilotTimes*time.Second)
	const pilotBytes = sealedBytesPerSample * results.PilotMostCalls
	for name, c := range map[string]struct {
		blocks   []results.Block
		limit    time.Duration
		settling *results.Settling
		want     Estimate
	}{
		"nothing":      {nil, 0, nil, Estimate{}},
		"an odd block": {[]results.Block{unknown}, 0, nil, Estimate{}},
		"a timing block": {
			[]results.Block{timing},
			0, nil,
			Estimate{Wall: 2 * start, StayBytes: 2 * sealedBytes, Invocations: 2},
		},
		"memory alone": {
			[]results.Block{memory},
			1, nil,
			Estimate{Wall: 2 * start, StayBytes: sealedBytes / 5, Invocations: 2},
		},
		"both, with a limit": {
			[]results.Block{timing, memory, timing},
			start, nil,
			Estimate{Wall: 3 * start, StayBytes: 4*sealedBytes + sealedBytes/5, Invocations: 6},
		},
		"a limit that is far": {
			[]results.Block{timing, timing},
			time.Hour, nil,
			Estimate{Wall: 4 * start, StayBytes: 4 * sealedBytes, Invocations: 4},
		},
		"a pilot": {
			[]results.Block{timing},
			0, settling,
			Estimate{
				Wall: 2*(start+pilot) + pilotCost, StayBytes: 2 * (sealedBytes + pilotBytes),
				PeakBytes: rawBytesPerSample * results.PilotMostCalls, Invocations: 2, AtMost: true,
			},
		},
		"a pilot, and an extra block": {
			[]results.Block{extra},
			0, settling,
			Estimate{Wall: 2*start + pilotCost, StayBytes: 2 * sealedBytes, Invocations: 2},
		},
		"a pilot that has decided": {
			[]results.Block{timing},
			0, &results.Settling{Decision: &results.SettlingDecision{}},
			Estimate{Wall: 2 * start, StayBytes: 2 * sealedBytes, Invocations: 2},
		},
	} {
		p := &plan.Plan{Campaign: &results.Campaign{
			Blocks: c.blocks,
			Cells: []results.Cell{
				{ID: "c0", Scenario: "s", Role: results.RoleBaseline},
				{ID: "c1", Scenario: "s", Role: results.RoleVariant},
				{ID: "c2", Scenario: "s", Role: results.RoleAA},
				{ID: "c3", Scenario: "t", Role: results.RoleVariant},
			},
			Scenarios: []results.Scenario{{Label: "s", Settling: c.settling}},
		}}
		if c.limit > 0 {
			p.Campaign.Scenarios[0].Sizing = &results.Sizing{MaxTimeNS: int64(c.limit)}
		}
		for _, cell := range p.Campaign.Cells {
			p.Cells = append(p.Cells, plan.Cell{Cell: cell})
		}
		if diff := cmp.Diff(c.want, EstimateOf(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestRoom: a folder has room for what fits into it.
func TestRoom(t *testing.T) {
	dir := t.TempDir()
	if err := Room(dir, 0, "planning"); err != nil {
		t.Error(err)
	}
	err := Room(dir, 1<<62, "planning")
	if err == nil || !strings.HasPrefix(err.Error(), "planning: "+dir+" holds ") ||
		!strings.Contains(err.Error(), "up to 4398046511105 MB may be needed") {
		t.Error(err)
	}
	if err := Room(filepath.Join(dir, "gone"), 0, "planning"); err == nil {
		t.Error("a folder that there is not has room")
	}
}

// programs are cells without a program of the user's own, with a command, and with a server.
func programs() (none, command, server plan.Cell) {
	command.Program, server.Program = zero(command.Program), zero(server.Program)
	server.Program.Ready = "http://127.0.0.1/"
	return none, command, server
}

// TestTooLong: a command's variant is told what it takes without an agent, if that limits it.
func TestTooLong(t *testing.T) {
	const killed, known = "not done after 50s, and killed", ": without an agent it takes 2s"
	none, command, server := programs()
	for name, c := range map[string]struct {
		program plan.Cell
		role    results.Role
		derived bool
		took    time.Duration
		want    string
	}{
		"a variant":          {command, results.RoleVariant, true, 2 * time.Second, killed + known},
		"a baseline":         {command, results.RoleBaseline, true, 2 * time.Second, killed},
		"a limit of its own": {command, results.RoleVariant, false, 2 * time.Second, killed},
		"nobody knows":       {command, results.RoleVariant, true, 0, killed},
		"a server":           {server, results.RoleVariant, true, 2 * time.Second, killed},
		"a method of ours":   {none, results.RoleVariant, true, 2 * time.Second, killed},
	} {
		a := &attempt{inv: plan.Invocation{Cell: c.program}}
		a.inv.Cell.Role, a.inv.Cell.Derived, a.inv.Cell.Timeout = c.role, c.derived, 50*time.Second
		if got := a.tooLong(c.took); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	for d, want := range map[time.Duration]time.Duration{
		time.Second:                  time.Second,
		1040 * time.Millisecond:      time.Second,
		1050 * time.Millisecond:      1100 * time.Millisecond,
		999_400 * time.Microsecond:   999 * time.Millisecond,
		999_500 * time.Microsecond:   time.Second,
		1234567 * time.Microsecond:   1200 * time.Millisecond,
		12_345_678 * time.Nanosecond: 12 * time.Millisecond,
	} {
		if got := round(d); got != want {
			t.Errorf("%v: %v, want %v", d, got, want)
		}
	}
}

// TestBaselineTook: a program's baseline takes as long as its longest run that ended well, a server's until it was up.
func TestBaselineTook(t *testing.T) {
	of := func(slot int, cell string, s results.Status, wall, startup float64) *results.Invocation {
		return &results.Invocation{
			Identity: results.Identity{Block: 1, Slot: slot}, Cell: cell, Status: s,
			Scalars: map[string]float64{WallNS: wall, ServerStartup: startup},
		}
	}
	c := &results.Campaign{Blocks: []results.Block{{Number: 1, Order: []string{"c0", "c0", "c0", "c1"}}}}
	l := newLedger(c, []*results.Invocation{
		of(0, "c0", results.StatusOK, 5e9, 2e9), of(1, "c0", results.StatusOK, 4e9, 3e9),
		of(2, "c0", results.StatusFailed, 90e9, 90e9), of(3, "c1", results.StatusOK, 60e9, 50e9),
	})
	none, command, server := programs()
	cell := func(id, baseline string, role results.Role, of plan.Cell) *plan.Cell {
		of.Cell = results.Cell{ID: id, Baseline: baseline, Role: role}
		return &of
	}
	for name, test := range map[string]struct {
		cell  *plan.Cell
		tried time.Duration
		want  time.Duration
	}{
		"a command":           {cell("c1", "c0", results.RoleVariant, command), 0, 5 * time.Second},
		"a server":            {cell("c1", "c0", results.RoleVariant, server), 0, 3 * time.Second},
		"the baseline itself": {cell("c0", "", results.RoleBaseline, server), 0, 3 * time.Second},
		"longer when tried":   {cell("c1", "c0", results.RoleVariant, command), 7 * time.Second, 7 * time.Second},
		"another baseline":    {cell("c1", "c2", results.RoleVariant, command), time.Second, time.Second},
		"a method of ours":    {cell("c1", "c0", results.RoleVariant, none), time.Second, time.Second},
	} {
		r := &Runner{Tried: Rehearsed{took: test.tried}}
		r.state = l
		if got := r.baselineTook(test.cell); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestProcessMetrics: each metric of a process is there once, with what it is about, but those that are left out; the
// parts of the CPU time are there if the whole is.
func TestProcessMetrics(t *testing.T) {
	names := func(all []results.Metric) []string {
		return results.Each(all, func(m results.Metric) string { return m.Name })
	}
	all := ProcessMetrics()
	whole := names(all)
	for i, m := range all {
		if m.About == "" || m.Unit == "" || m.Profile == "" || slices.Contains(whole[:i], m.Name) {
			t.Errorf("%+v", m)
		}
	}
	parts := ByThreads(CPUNS)
	if len(parts) != len(results.ThreadGroups()) {
		t.Errorf("%d parts", len(parts))
	}
	for _, m := range parts {
		if m.PartOf != CPUNS || m.Threads == "" || strings.HasSuffix(m.About, ", ") || !slices.Contains(whole, m.Name) {
			t.Errorf("%+v", m)
		}
	}
	if got := names(ProcessMetrics(gcNS, jitNS)); len(got) != len(whole)-2 || slices.Contains(got, gcNS) ||
		slices.Contains(got, jitNS) {
		t.Errorf("%v", got)
	}
	if got := names(ProcessMetrics(CPUNS)); len(got) != len(whole)-1-len(parts) || slices.Contains(got, parts[0].Name) {
		t.Errorf("%v", got)
	}
	m := Column(In("p", Timing("n", "u", results.Higher, "about")), "s", "c")
	m = Key(Share(perRecord(Deciding(3, "title", m))))
	want := results.Metric{
		Name: "n", Unit: "u", Better: results.Higher, Profile: "p", About: "about", Series: "s", Column: "c",
		Decides: 3, Title: "title", Per: results.Record, Share: true, Key: true,
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInWindow: what a process used between two snapshots is per call, and what it used to its exit per record; the
// reference's time is nobody's, and what moobench asked for at the end isn't the subject's.
func TestInWindow(t *testing.T) {
	begin := jvm.Snapshot{CPUNS: 1000, Voluntary: 10, Involuntary: 20}
	begin.HSPerf = jvm.HSPerf{GCCount: 1, GCNS: 100, JITNS: 1000, SafepointNS: 50, ClassesLoaded: 300}
	end := jvm.Snapshot{CPUNS: 9000, Voluntary: 13, Involuntary: 27}
	end.HSPerf = jvm.HSPerf{GCCount: 4, GCNS: 150, JITNS: 1700, SafepointNS: 80, ClassesLoaded: 330}
	a := &attempt{begin: begin, end: end, subject: &subject{}, got: &results.Invocation{
		Scalars: map[string]float64{referenceNS: 500}, Proof: results.Proof{ByExit: 10},
	}}
	a.inv.Cell.Work = plan.Work{Calls: 100, Threads: 3}
	want := map[string]float64{
		referenceNS: 500, CPUNS: 7500.0 / 300, voluntary: 3, involuntary: 7, gcCount: 3, gcNS: 50, safepointNS: 30,
		jitNS: 1700, classesLoaded: 330,
	}
	a.inWindow()
	if diff := cmp.Diff(want, a.got.Scalars); diff != "" {
		t.Errorf("without a last look (-want +got):\n%s", diff)
	}
	a.subject.last = jvm.Snapshot{MonotonicNS: 1, CPUNS: 9700} // 700 after the window, and 500 of the reference
	a.subject.exit.UserNS, a.subject.exit.SystemNS, a.subject.exit.OutlivedNS = 9000, 2000, 30
	want[cpuExitNS] = 9000 + 2000 + 30 - 1000 - 1200
	a.inWindow()
	if diff := cmp.Diff(want, a.got.Scalars); diff != "" {
		t.Errorf("no count (-want +got):\n%s", diff)
	}
	a.inv.Cell.Proof.Kind = results.ProofCount
	want[cpuPerRecordNS] = want[cpuExitNS] / 10
	a.inWindow()
	if diff := cmp.Diff(want, a.got.Scalars); diff != "" {
		t.Errorf("a count (-want +got):\n%s", diff)
	}
}

// TestTrim: the end of a log is kept where it is too long; nothing else is touched.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ size, want int }{
		"short.log":  {10, 10},
		"just.log":   {logKept, logKept},
		"long.log":   {logKept + 1, logKept},
		"longer.log": {3 * logKept, logKept},
		"long.txt":   {logKept + 1, logKept + 1},
	} {
		path := filepath.Join(dir, name)
		write(t, path, strings.Repeat("x", c.size-1)+"e")
		if err := trim(path); err != nil {
			t.Error(err)
		}
		if text, err := os.ReadFile(path); err != nil || len(text) != c.want || text[c.want-1] != 'e' {
			t.Errorf("%s: %d bytes, %v, want %d", name, len(text), err, c.want)
		}
	}
	if err := trim(filepath.Join(dir, "gone.log")); err == nil {
		t.Error("a log that there is not was trimmed")
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.log"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "folder.log", "file"), "12345")
	swept, err := sweep(dir, "short.log", "just.log")
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if want := int64(logKept + logKept + logKept + 1 + 5); err != nil || swept != want || len(left) != 2 {
		t.Errorf("%d bytes, want %d; %v; left %v", swept, want, err, left)
	}
}

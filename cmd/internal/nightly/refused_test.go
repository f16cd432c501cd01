package nightly

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis/history"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/refusal"
	"moobench/results"
)

// TestMachinesByName: a machine is named by its ID or the beginning of it, or by the CPU of its pool; where several
// are, they are listed in order, as all are where none is.
func TestMachinesByName(t *testing.T) {
	h := &history.History{}
	for _, m := range []history.Key{
		{Machine: "bench-02"},
		{Machine: "bench-01"},
		{Machine: "bench"},
		{Machine: "x", Pool: "ci", CPU: "EPYC 7763"},
		{Machine: "ben-9", CPU: "Xeon"},
	} {
		h.Records = append(h.Records, history.Record{Kind: history.KindNight, Night: &history.Night{Key: m}})
	}
	var pooled string
	var ids []string
	for _, m := range h.Machines() {
		if m.Pool != "" {
			pooled = m.ID
		}
		ids = append(ids, "'"+m.ID+"'")
	}
	all := "there are: " + strings.Join(ids, ", ")
	const none = "--to: the history has no night of a machine "
	for name, c := range map[string]struct{ want, fails, hint string }{
		"bench":     {"bench", "", ""}, // the whole name of one, and the beginning of others
		"bench-02":  {"bench-02", "", ""},
		"ben-":      {"ben-9", "", ""},
		"EPYC 7763": {pooled, "", ""},
		"benc":      {"", `--to: "benc" names several machines`, "there are: 'bench', 'bench-01', 'bench-02'"},
		"bench-0":   {"", `--to: "bench-0" names several machines`, "there are: 'bench-01', 'bench-02'"},
		"ben":       {"", none + `"ben"`, all},
		"Xeon":      {"", none + `"Xeon"`, all},
		"":          {"", none + `""`, all},
	} {
		got, err := machineCalled(h, "--to", name)
		if c.fails == "" && (err != nil || got.ID != c.want) {
			t.Errorf("%q: %+v, %v", name, got, err)
		}
		if c.fails != "" && (err == nil || err.Error() != c.fails || refusal.Do(err) != c.hint) {
			t.Errorf("%q: %+v, %v (%s)", name, got, err, refusal.Do(err))
		}
	}
}

// TestPairsOfNights: series with enough pairs of nights go on, and of the others it is said how many more they need.
func TestPairsOfNights(t *testing.T) {
	to := history.Machine{ID: "m2"}
	of := func(cell string, pairs int, floor bool) history.Succession {
		s := history.Succession{Move: history.Move{Key: seriesKey(cell)}, Floor: floor}
		s.Shift.Pairs = pairs
		return s
	}
	least := history.LeastPairs
	p := continuing([]history.Succession{of("a", least, false), of("b", least-1, false), of("c", 1, false)}, to)
	if p.going != 1 || len(p.records) != 1 || p.missing != least-1 || len(p.lacking) != 2 {
		t.Errorf("%+v", p)
	}
	if len(p.lines) != 1 || !strings.HasPrefix(p.lines[0], "s/m/a continues on m2: shift ") {
		t.Errorf("%q", p.lines)
	}
	const one = "s/m/c has 1 pair of nights with the same files and plan on both machines, and "
	if !strings.HasPrefix(p.lacking[1], one) {
		t.Errorf("%q", p.lacking)
	}
	m := Moving{History: "h.jsonl"}
	err := m.tooFew(history.Machine{ID: "m1"}, to, p)
	if err == nil || err.Error() != strings.Join(p.lacking, "\n") ||
		!strings.Contains(refusal.Do(err), "of the builds that m1 has measured on m2: ") {
		t.Errorf("%v (%s)", err, refusal.Do(err))
	}
	err = m.tooFew(history.Machine{ID: "m1"}, to, moves{})
	if err == nil || err.Error() != "m1 has no series that is still measured" {
		t.Error(err)
	}
	p = continuing([]history.Succession{of("f", 0, true)}, to)
	if p.going != 0 || len(p.lacking) != 0 || len(p.lines) != 1 || p.lines[0] != "s/m/f continues on m2" {
		t.Errorf("a floor: %+v", p)
	}
}

// TestBlocksOfAConfirmation: as many as make an A/A, up to a thousand, or those that the alarm needs.
func TestBlocksOfAConfirmation(t *testing.T) {
	for blocks, want := range map[int]bool{
		0: true, -1: false, 1: false, fewestBlocks - 1: false, fewestBlocks: true, 1000: true, 1001: false,
	} {
		if err := (Options{Blocks: blocks}).fit(); (err == nil) != want {
			t.Errorf("%d: %v", blocks, err)
		}
	}
	var out bytes.Buffer
	lab := &session.Lab{Console: console.Console{Out: &out, Err: &out}}
	err := Confirm(t.Context(), lab, Options{Blocks: 1001})
	if _, usage := errors.AsType[outcome.UsageError](err); !usage || out.Len() > 0 {
		t.Errorf("%v, %s", err, out.String())
	}
	file := written(t, nightsOf("a", 0, 0)...)
	const nothing = " suspects was measured again (--blocks measures once more what is still open)\n"
	err = Confirm(t.Context(), lab, Options{History: file})
	if err != nil || out.String() != "nothing to confirm: all that "+file+nothing {
		t.Errorf("%v, %s", err, out.String())
	}
	dir := filepath.Join(t.TempDir(), "plain")
	if _, err := results.Create(dir, &results.Campaign{Name: "plain", Source: "moobench"}, []byte("x")); err != nil {
		t.Fatal(err)
	}
	o := Options{History: file, Options: session.Options{Resume: dir}}
	if err := Confirm(t.Context(), lab, o); err == nil || err.Error() != dir+" measures no alarm again" {
		t.Errorf("%v", err)
	}
}

// TestWhatIsNoNight: only a finished campaign that moobench measured in blocks, and that settles no alarm, is a night.
func TestWhatIsNoNight(t *testing.T) {
	of := func(source string, d results.Design) results.Campaign {
		return results.Campaign{Source: source, Design: d}
	}
	for name, c := range map[string]struct {
		campaign results.Campaign
		sealed   bool
		want     string // in the error; "": it is one
	}{
		"a night":             {of("moobench", results.DesignBlocks), true, ""},
		"not sealed":          {of("moobench", results.DesignBlocks), false, "it is not finished"},
		"of pairs":            {of("x", results.DesignPaired), true, "several nights, measured by x"},
		"imported":            {of("x", results.DesignUnordered), true, "imported from x"},
		"imported, in blocks": {of("x", results.DesignBlocks), true, "imported from x"},
		"no blocks": {
			of("moobench", results.DesignUnordered), true, "its design is \"unordered\"",
		},
		"a confirmation": {
			results.Campaign{Source: "moobench", Design: results.DesignBlocks, Confirm: &results.Confirm{}},
			true,
			"old and new of an alarm",
		},
	} {
		store, err := results.Create(filepath.Join(t.TempDir(), "c"), &c.campaign, []byte("x"))
		if err == nil && c.sealed {
			err = store.Seal()
		}
		if err != nil {
			t.Fatal(err)
		}
		err = canBeNight(store)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestHistoriesThatThereAreNot: one without a night is refused, and so is none where it was asked for.
func TestHistoriesThatThereAreNot(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.jsonl")
	_, errCheck := Check(none, 0)
	_, errRehearse := Rehearse(t.Context(), none, history.Rehearsing{})
	_, _, errLevels := Levels(none)
	empty := none + " holds no night yet"
	wants := []string{empty, empty, "reading the history: there is no " + none}
	for i, err := range []error{errCheck, errRehearse, errLevels} {
		if err == nil || err.Error() != wants[i] {
			t.Errorf("%v, want %s", err, wants[i])
		}
	}
	file := written(t, nightsOf("a", 0, 0)...)
	found, warnings, err := Levels(file)
	if err != nil || len(warnings) > 0 || len(found.Series) != 1 {
		t.Errorf("%+v, %v, %v", found, warnings, err)
	}
	for night, want := range map[string]string{
		"":    "s/m/a has no change that could be accepted",
		"n03": "s/m/a has no change that could be accepted",
	} {
		a := Acceptance{History: file, Series: "a", Night: night}
		if err := a.Accept(&bytes.Buffer{}, firstNight); err == nil || err.Error() != want || refusal.Do(err) != "" {
			t.Errorf("%q: %v (%s)", night, err, refusal.Do(err))
		}
	}
}

// TestLongestCommit: a commit's name has 200 characters at most.
func TestLongestCommit(t *testing.T) {
	for n, want := range map[int]bool{1: true, 200: true, 201: false} {
		if _, err := CommitFor(t.Context(), strings.Repeat("a", n), 1); (err == nil) != want {
			t.Errorf("%d: %v", n, err)
		}
	}
	for n, want := range map[string]string{"": "n1", "c1": "n1 (c1)"} {
		if got := nightName(&history.Night{ID: "n1", Commit: n}); got != want {
			t.Errorf("%q: %s, want %s", n, got, want)
		}
	}
}

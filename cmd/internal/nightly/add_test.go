package nightly

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/harness/config"
	"moobench/refusal"
	"moobench/results"
)

// nightIn makes a campaign of three blocks in a folder: a baseline of 100 ns, a variant of 110 ns, and one that nobody
// measured. Each invocation has its jars in another order.
func nightIn(t *testing.T, dir string, gate *results.Gate) *results.Store {
	t.Helper()
	c := &results.Campaign{
		Name: "nightly", Source: "moobench", Design: results.DesignBlocks, Created: firstNight, Gate: gate,
		Scenarios: []results.Scenario{{Label: "s", Use: "s", Metrics: []results.Metric{
			{Name: "wall", Unit: "ns", Better: results.Lower, Primary: true, Profile: results.ProfileTiming},
		}}},
		Cells: []results.Cell{
			{ID: "c00", Scenario: "s", Variant: "none", Role: results.RoleBaseline},
			{ID: "c01", Scenario: "s", Variant: "mine", Role: results.RoleVariant, Baseline: "c00"},
			{ID: "c02", Scenario: "s", Variant: "absent", Role: results.RoleVariant, Baseline: "c00"},
			{ID: "c03", Scenario: "s", Variant: "proof", Role: results.RoleProof, Baseline: "c00"},
		},
		Versions: map[string]string{"moobench": "1", "machine": "m1", "jdk": "17"},
	}
	for b := range 3 {
		c.Blocks = append(c.Blocks, results.Block{
			Number: b + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c00", "c01"},
		})
	}
	store, err := results.Create(dir, c, []byte("name = \"nightly\"\n"))
	if err == nil {
		err = store.AddMachine(results.Machine{ID: "m1", Host: "h", CPU: "EPYC"})
	}
	if err != nil {
		t.Fatal(err)
	}
	jars := []results.Artifact{{Name: "b", SHA256: "2"}, {Name: "a", SHA256: "1"}, {Name: "a", SHA256: "0"}}
	for b := range 3 {
		for slot, ns := range []float64{100, 110} {
			d, err := store.Begin(results.Identity{Block: b + 1, Slot: slot})
			if err != nil {
				t.Fatal(err)
			}
			begun := firstNight.Add(time.Duration(2*b+slot) * time.Minute)
			err = d.Seal(&results.Invocation{
				Cell: []string{"c00", "c01"}[slot], Profile: results.ProfileTiming, Status: results.StatusOK,
				Machine: "m1", Boot: "b", Start: begun, End: begun.Add(time.Second),
				Scalars:   map[string]float64{"wall": ns + float64(b*slot)},
				Artifacts: append(jars[b:len(jars):len(jars)], jars[:b]...),
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := store.Seal(); err != nil {
		t.Fatal(err)
	}
	return store
}

// TestAdd: campaigns become rows of a history, once, compared with the variant that is named, else the gate's; what has
// no row is said, and so is that nobody knows the commit.
func TestAdd(t *testing.T) {
	t.Chdir(t.TempDir())
	store := nightIn(t, "n1", nil)
	nightIn(t, "n2", &results.Gate{Reference: "mine", Scenario: "s", Metric: "wall"})
	const where = "next: moobench history check --confirm --history h.jsonl\n"
	const unknown = "which commit was measured is not known"
	for _, c := range []struct {
		a         Addition
		want      string // of the output; "" is an error
		says      []string
		saysNever string
	}{
		{
			Addition{Commit: "c1", Dirs: []string{"n1"}},
			"added 1 row of 1 night of c1 to h.jsonl\n" + where,
			[]string{"moobench: warning: n1: not added: wall of absent: "},
			unknown,
		},
		{
			Addition{Commit: "c1", Dirs: []string{"n1"}},
			"nothing added to h.jsonl: 1 row of 1 night of c1, and all are there already\n" + where, nil, unknown,
		},
		{
			Addition{Dirs: []string{"n1", "n2"}},
			"added 1 row of 2 nights to h.jsonl; 1 was there already\n" + where,
			[]string{unknown},
			"",
		},
		{Addition{Dirs: []string{"n1", "gone"}}, "", nil, unknown},
		{Addition{Dirs: []string{"n1"}, Reference: "proof"}, "", nil, ""},
	} {
		var out, said bytes.Buffer
		c.a.History = "h.jsonl"
		err := c.a.Add(console.Console{Out: &out, Err: &said})
		if out.String() != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %v, %s\nwant %s", c.a, err, out.String(), c.want)
		}
		for _, text := range c.says {
			if !strings.Contains(said.String(), text) {
				t.Errorf("%+v: %s\nwant %s", c.a, said.String(), text)
			}
		}
		if c.saysNever != "" && strings.Contains(said.String(), c.saysNever) {
			t.Errorf("%+v: %s", c.a, said.String())
		}
	}
	h, err := history.Read("h.jsonl")
	if err != nil || len(h.Records) != 2 {
		t.Fatal(h, err)
	}
	first, second := h.Records[0].Night, h.Records[1].Night
	if first.Cell != "mine" || first.Reference != "none" || first.Folder != "n1" || first.Commit != "c1" {
		t.Errorf("%+v", first)
	}
	if second.Cell != "none" || second.Reference != "mine" || second.Commit != "" {
		t.Errorf("%+v", second)
	}
	want := []results.Artifact{{Name: "a", SHA256: "0"}, {Name: "a", SHA256: "1"}, {Name: "b", SHA256: "2"}}
	if diff := cmp.Diff(map[string][]results.Artifact{"c00": want, "c01": want}, artifactsOf(store)); diff != "" {
		t.Error(diff)
	}
	var out bytes.Buffer
	a := Addition{History: HistoryFile, Dirs: []string{"n1"}}
	if err := a.Add(console.Console{Out: &out, Err: &out}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), "\nnext: moobench history check --confirm\n") {
		t.Error(out.String())
	}
}

// TestReferenceOfANight: the others are compared with a variant of the campaign, and one of which no cell has a value
// is not a night.
func TestReferenceOfANight(t *testing.T) {
	t.Chdir(t.TempDir())
	nightIn(t, "n1", nil)
	_, _, err := Addition{Reference: "theirs"}.nights("n1")
	const want = `adding n1: it has no variant "theirs" to compare the others with: there are none, mine, absent`
	if _, usage := errors.AsType[outcome.UsageError](err); !usage || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	nights, _, err := Addition{Reference: "absent"}.nights("n1")
	const no = "adding n1: no cell has a value that can be compared with the reference\nwall of "
	if len(nights) > 0 || err == nil || !strings.HasPrefix(err.Error(), no) || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("%d nights, %v", len(nights), err)
	}
}

// TestAskAgain: what stays open is asked again with twice the blocks, of which there are a thousand at most.
func TestAskAgain(t *testing.T) {
	for n, want := range map[int]int{
		1: 2 * fewestBlocks, fewestBlocks: 2 * fewestBlocks, 20: 40, 500: 1000, 501: 1000,
	} {
		v := verdict{alarm: results.Alarm{HistoryKey: results.HistoryKey{Scenario: "s", Cell: "a", Metric: "m"}}}
		v.outcome = outcome.ErrIncomplete
		v.settle(&history.Confirmation{Verdict: infer.Open, Reason: "why", N: n})
		const text = "open: why → ask again with more blocks: moobench confirm --series 's/m/a' --blocks %d"
		wants := fmt.Sprintf(text, want)
		if v.sentence != wants || !errors.Is(v.outcome, outcome.ErrIncomplete) {
			t.Errorf("%d blocks: %s, %v, want %s", n, v.sentence, v.outcome, wants)
		}
	}
}

// TestDraftOfAnotherScenario: a cell's scenario must stand in the file of its night.
func TestDraftOfAnotherScenario(t *testing.T) {
	text := strings.ReplaceAll(nightTOML, `"kieker"`, `"kieker/bci/tcp"`)
	night, err := config.Parse("benchmarks.toml", []byte(text), known())
	if err != nil {
		t.Fatal(err)
	}
	c := &confirmation{night: night, cell: &results.Cell{Scenario: "other"}}
	if _, err := c.draft(); err == nil || !strings.HasSuffix(err.Error(), `has no scenario "other"`) {
		t.Errorf("%v (%s)", err, refusal.Do(err))
	}
}

// TestConfirmDry: what would be measured again is shown, and what can't be stays as it is.
func TestConfirmDry(t *testing.T) {
	lab, o, r := nights(t, "overhead")
	var out bytes.Buffer
	lab.Out = &out
	file := func(folder string) string {
		records := nightsOf("a", 1, 0.1)
		for i, record := range records {
			n := record.Night
			if n.Key, n.Artifacts = r.Series.Key, r.Old.Artifacts; i == len(records)-1 {
				n.Artifacts, n.Folder = r.New.Artifacts, folder
			}
		}
		return written(t, records...)
	}
	for folder, c := range map[string]struct {
		err  error
		want []string
	}{
		"n2": {nil, []string{" · seed 5\n", "\nnothing was started\n"}},
		"n3": {
			outcome.ErrIncomplete, []string{": can't be confirmed, and stays suspected: the campaign of the night n29 "},
		},
	} {
		out.Reset()
		asked := o
		asked.History, asked.Dry, asked.Dir = file(folder), true, "chosen"
		if err := Confirm(t.Context(), lab, asked); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", folder, err, c.err)
		}
		for _, text := range c.want {
			if strings.Count(out.String(), text) != 1 {
				t.Errorf("%s: it says not once %q:\n%s", folder, text, out.String())
			}
		}
	}
}

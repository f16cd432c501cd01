package nightly

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moobench/refusal"
	"moobench/results"
)

// completeOne makes a complete campaign whose cell was started from a jar.
func completeOne(dir, name string, created time.Time, sha256 string) error {
	store, err := results.Create(dir, &results.Campaign{
		Name: name, Source: "moobench", Created: created,
		Cells: []results.Cell{{ID: "c00", Launch: results.Launch{Artifacts: []results.Artifact{{Name: "agent.jar", SHA256: sha256}}}}},
	}, []byte("name = \"x\"\n"))
	if err != nil {
		return err
	}
	return store.Seal()
}

// TestPruneSparesWhatIsNamed: whatever campaigns there are, the newest of each name
// stay, and so does every jar that a line of the history, or a campaign that stays,
// names.
func TestPruneSparesWhatIsNamed(t *testing.T) {
	t.Setenv("MOOBENCH_LOCK", filepath.Join(t.TempDir(), "lock"))
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		o := Prune{
			Keep: rapid.IntRange(1, 3).Draw(r, "keep"), Runs: filepath.Join(dir, "runs"), Artifacts: filepath.Join(dir, "kept"), History: filepath.Join(dir, "h.jsonl"),
		}
		kept := results.OpenKept(o.Artifacts)
		var sums []string
		for i := range 5 {
			path := filepath.Join(dir, "agent.jar")
			if err := os.WriteFile(path, []byte{byte(i)}, 0o666); err != nil {
				r.Fatal(err)
			}
			a, err := kept.Keep(path)
			if err != nil {
				r.Fatal(err)
			}
			sums = append(sums, a.SHA256)
		}
		named := map[string]bool{}
		history := ""
		for i, in := range rapid.SliceOfN(rapid.Bool(), 5, 5).Draw(r, "in the history") {
			if in {
				named[sums[i]] = true
				history += fmt.Sprintf(`{"format":9,"night":{"artifacts":[{"sha256":"%s"`, sums[i]) + "\n" // cut off, and too new
			}
		}
		if err := os.WriteFile(o.History, []byte(history), 0o666); err != nil {
			r.Fatal(err)
		}
		newest := map[string]int{}
		n := rapid.IntRange(0, 6).Draw(r, "campaigns")
		stay := map[string]bool{}
		for i := n; i > 0; i-- { // the newest first
			name := rapid.SampledFrom([]string{"a", "a-confirm"}).Draw(r, "name")
			sum := rapid.SampledFrom(sums).Draw(r, "jar")
			path := filepath.Join(o.Runs, fmt.Sprint("c", i))
			if err := completeOne(path, name, time.Date(2026, 11, i, 3, 0, 0, 0, time.UTC), sum); err != nil {
				r.Fatal(err)
			}
			if newest[name]++; newest[name] <= o.Keep {
				stay[path], named[sum] = true, true
			}
		}
		if err := os.MkdirAll(o.Runs, 0o777); err != nil {
			r.Fatal(err)
		}
		if err := o.Run(io.Discard); err != nil {
			r.Fatal(err)
		}
		for i := 1; i <= n; i++ {
			path := filepath.Join(o.Runs, fmt.Sprint("c", i))
			if _, err := os.Stat(path); (err == nil) != stay[path] {
				r.Errorf("%s: %v, and it is to stay: %t", path, err, stay[path])
			}
		}
		for _, sum := range sums {
			if _, err := kept.Path(sum); (err == nil) != named[sum] {
				r.Errorf("%s: %v, and it is named: %t", sum, err, named[sum])
			}
		}
	})
}

func TestPruneWithoutAHistory(t *testing.T) {
	dir := t.TempDir()
	o := Prune{Keep: 1, Runs: filepath.Join(dir, "runs"), Artifacts: filepath.Join(dir, "kept"), History: filepath.Join(dir, "nowhere")}
	jar := filepath.Join(dir, "agent.jar")
	if err := os.WriteFile(jar, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := o.plan(); err == nil || !strings.Contains(refusal.Do(err), "--runs") {
		t.Errorf("no campaigns: %v", err)
	}
	if err := os.Mkdir(o.Runs, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := results.OpenKept(o.Artifacts).Keep(jar); err != nil {
		t.Fatal(err)
	}
	p, err := o.plan()
	if err != nil || len(p.artifacts) != 0 || len(p.left) != 1 || !strings.Contains(p.left[0], "--history") {
		t.Errorf("%+v, %v", p, err)
	}
}

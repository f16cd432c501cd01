package results

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results/summary"
)

func TestStaleSummary(t *testing.T) {
	s := newStore(t)
	inv := sealOne(t, s, Identity{1, 0, 0}, 2000)
	want, err := s.Summary(inv)
	if err != nil {
		t.Fatal(err)
	}
	path := s.path(invocationsDir, inv.Identity.String(), summaryFile)
	for name, f := range map[string]func(text string) string{
		"version": func(text string) string { return strings.Replace(text, `"version":1`, `"version":0`, 1) },
		"hash":    func(text string) string { return strings.Replace(text, inv.Files[samplesFile], "abc", 1) },
		"damaged": func(text string) string { return text[:len(text)/2] },
	} {
		old, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f(string(old))), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := s.Summary(inv)
		if err != nil || got.Samples != want.Samples {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Anew == "" || want.Anew != "" {
			t.Errorf("%s: computed anew because %q", name, got.Anew)
		}
		if diff := cmp.Diff(encode(t, want), encode(t, got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := verify(s); err == nil {
			t.Errorf("%s: verified", name)
		}
		os.WriteFile(path, old, 0o666)
	}
	os.Remove(path)
	if sum, err := s.Summary(inv); err != nil || sum.Anew != "" {
		t.Errorf("without the file: %v", err)
	}
}

// Numbers of a summary that fits its samples by its own word are not believed when
// it is not the one that was recorded.
func TestDamagedSummaryIsNotUsed(t *testing.T) {
	s, inv := sealedStore(t)
	want, err := s.Summary(inv)
	if err != nil {
		t.Fatal(err)
	}
	lie := *want
	lie.Columns = slices.Clone(want.Columns)
	c := &lie.Columns[0]
	c.Sum, c.SS, c.Min, c.Max = slices.Clone(c.Sum), slices.Clone(c.SS), slices.Clone(c.Min), slices.Clone(c.Max)
	for i := range c.Sum {
		c.Sum[i], c.SS[i], c.Min[i], c.Max[i] = 3*c.Sum[i], 9*c.SS[i], 3*c.Min[i], 3*c.Max[i]
	}
	path := s.path(invocationsDir, inv.Identity.String(), summaryFile)
	if err := os.WriteFile(path, []byte(encode(t, &lie)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := summary.Decode(read(t, path)); err != nil {
		t.Fatalf("the lie is not a summary at all: %v", err)
	}
	got, err := s.Summary(inv)
	if err != nil || encode(t, got) != encode(t, want) || got.Anew == "" {
		t.Errorf("computed anew because %q, %v", got.Anew, err)
	}
	if sealed, changed := s.Sealed(); !sealed || changed != "" {
		t.Errorf("SEALED lists no summaries: %t, %q", sealed, changed)
	}
}

// A summary of another version, whose checksum holds, is computed anew without a word.
func TestSummaryOfAnotherVersion(t *testing.T) {
	s, inv := sealedStore(t)
	path := s.path(invocationsDir, inv.Identity.String(), summaryFile)
	old := strings.Replace(string(read(t, path)), `"version":1`, `"version":0`, 1)
	if err := os.WriteFile(path, []byte(old), 0o666); err != nil {
		t.Fatal(err)
	}
	inv.Files[summaryFile] = hashOf([]byte(old))
	if sum, err := s.Summary(inv); err != nil || sum.Version != 0 || sum.Anew != "" || len(sum.Columns) != 1 || sum.Columns[0].Count != 2000 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// Samples that can be read, and are not those that were recorded, are not used.
func TestSamplesOfAnother(t *testing.T) {
	s, inv := sealedStore(t)
	other, err := s.Begin(Identity{1, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	series := testSeries
	columns := latencies(2000)
	f, err := os.Create(filepath.Join(other.Dir(), series.Dump))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(WriteDump(f, series, columns...), f.Close()); err != nil {
		t.Fatal(err)
	}
	series.Count = 2000
	if err := other.Seal(okInvocation(series)); err != nil {
		t.Fatal(err)
	}
	dir := s.path(invocationsDir, inv.Identity.String())
	err = errors.Join(
		os.Remove(filepath.Join(dir, summaryFile)),
		os.WriteFile(filepath.Join(dir, samplesFile), read(t, s.path(invocationsDir, "b0001.s01.r0", samplesFile)), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Summary(inv)
	damagedAt(t, "samples of another", err, samplesFile)
}

// Damages name each damaged file once, and say what to do.
func TestDamages(t *testing.T) {
	s, _ := sealedStore(t)
	sealOne(t, s, Identity{1, 1, 0}, 30)
	sealOne(t, s, Identity{1, 2, 0}, 30)
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	if d := s.Damages(t.Context()); len(d) != 0 {
		t.Fatalf("whole: %v", d)
	}
	spoil := func(name string, f func(path string) error) {
		t.Helper()
		if err := f(s.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	longer := func(path string) error { return os.WriteFile(path, append(read(t, path), ' '), 0o666) }
	spoil(machinesDir+"/m.json", os.Remove)
	spoil("invocations/b0001.s00.r0/summary.json", longer)
	spoil("invocations/b0001.s00.r0/out.log", os.Remove)
	spoil("invocations/b0001.s01.r0/invocation.json", func(path string) error { return os.Truncate(path, 10) })
	sealOne(t, s, Identity{1, 3, 0}, 3)
	var got []string
	for _, d := range s.Damages(t.Context()) {
		rel, err := filepath.Rel(s.Dir(), d.Path)
		if err != nil || d.Hint == "" || d.Err == nil {
			t.Errorf("%v: %v", d, err)
		}
		got = append(got, rel)
	}
	slices.Sort(got)
	want := []string{
		"invocations/b0001.s00.r0/out.log", "invocations/b0001.s00.r0/summary.json", "invocations/b0001.s01.r0/invocation.json",
		"invocations/b0001.s03.r0/invocation.json", "machines/m.json",
	}
	if !slices.Equal(got, want) {
		t.Errorf("damaged are %q, want %q", got, want)
	}
}

func TestSealedAndVerify(t *testing.T) {
	s := newStore(t)
	inv := sealOne(t, s, Identity{1, 0, 0}, 2000)
	sealed := func(want bool) {
		t.Helper()
		if ok, changed := s.Sealed(); ok != want {
			t.Errorf("sealed: %v, %q", ok, changed)
		}
	}
	sealed(false)
	if err := errors.Join(s.AddMachine(Machine{ID: "m"}), s.Seal()); err != nil {
		t.Fatal(err)
	}
	sealed(true)
	sealOne(t, s, Identity{2, 0, 0}, 3)
	sealed(false)
	if err := verify(s); err == nil || !strings.Contains(err.Error(), "added later") {
		t.Errorf("a block was added: %v", err)
	}
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		campaignFile, tomlFile, "machines/m.json", "invocations/b0001.s00.r0/invocation.json",
		"invocations/b0001.s00.r0/samples.parquet", "invocations/b0001.s00.r0/out.log", "invocations/b0001.s00.r0/summary.json",
	} {
		old, err := os.ReadFile(s.path(name))
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(s.path(name), append(old[:len(old):len(old)], ' '), 0o666)
		if err := verify(s); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s was changed: %v", name, err)
		}
		os.Remove(s.path(name))
		if err := verify(s); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("%s was removed: %v", name, err)
		}
		os.WriteFile(s.path(name), old, 0o666)
	}
	sealed(true)
	if err := verify(s); err != nil {
		t.Error(err)
	}
	// SEALED itself, cut off within a line: the name that is left is of no file.
	whole, err := os.ReadFile(s.path(sealedFile))
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(s.path(sealedFile), whole[:len(whole)/2+3], 0o666)
	if err := verify(s); err == nil || !strings.Contains(err.Error(), "SEALED") || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("cut: %v", err)
	}
	os.WriteFile(s.path(sealedFile), whole, 0o666)
	// A summary that lies, with checksums that agree.
	inv.Files[summaryFile] = ""
	path := s.path(invocationsDir, inv.Identity.String())
	text, _ := os.ReadFile(filepath.Join(path, summaryFile))
	os.WriteFile(filepath.Join(path, summaryFile), []byte(strings.Replace(string(text), `"min":[`, `"min":[1`, 1)), 0o666)
	inv.Files[summaryFile], _ = hashFile(t.Context(), filepath.Join(path, summaryFile), maxFile)
	data, _ := marshal("", inv)
	os.WriteFile(filepath.Join(path, invocationFile), data, 0o666)
	other, err := Open(s.Dir()) // who has not measured it
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(other.Seal(), verify(other)); err == nil || !strings.Contains(err.Error(), "not the summary of its samples") {
		t.Errorf("a lie: %v", err)
	}
}

func TestSha256sumReadsSealed(t *testing.T) {
	tool, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip("needs sha256sum: " + err.Error())
	}
	s := newStore(t)
	sealOne(t, s, Identity{1, 0, 0}, 3)
	if err := errors.Join(s.AddMachine(Machine{ID: "m"}), s.Seal()); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, "--strict", "-c", "SEALED")
	cmd.Dir = s.Dir()
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), ": OK\n") != 4 {
		t.Errorf("%v\n%s", err, out)
	}
}

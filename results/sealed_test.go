package results

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		if diff := cmp.Diff(encode(t, want), encode(t, got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := s.Verify(); err == nil {
			t.Errorf("%s: verified", name)
		}
		os.WriteFile(path, old, 0o666)
	}
	os.Remove(path)
	if _, err := s.Summary(inv); err != nil {
		t.Errorf("without the file: %v", err)
	}
}

func TestSealedAndVerify(t *testing.T) {
	s := newStore(t)
	inv := sealOne(t, s, Identity{1, 0, 0}, 2000)
	sealed := func(want bool) {
		t.Helper()
		if ok, err := s.Sealed(); ok != want || err != nil {
			t.Errorf("sealed: %v, %v", ok, err)
		}
	}
	sealed(false)
	if err := errors.Join(s.AddMachine(Machine{ID: "m"}), s.Seal()); err != nil {
		t.Fatal(err)
	}
	sealed(true)
	sealOne(t, s, Identity{2, 0, 0}, 3)
	sealed(false)
	if err := s.Verify(); err == nil || !strings.Contains(err.Error(), "added later") {
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
		if err := s.Verify(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s was changed: %v", name, err)
		}
		os.Remove(s.path(name))
		if err := s.Verify(); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("%s was removed: %v", name, err)
		}
		os.WriteFile(s.path(name), old, 0o666)
	}
	sealed(true)
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
	// A summary that lies, with checksums that agree.
	inv.Files[summaryFile] = ""
	path := s.path(invocationsDir, inv.Identity.String())
	text, _ := os.ReadFile(filepath.Join(path, summaryFile))
	os.WriteFile(filepath.Join(path, summaryFile), []byte(strings.Replace(string(text), `"min":[`, `"min":[1`, 1)), 0o666)
	inv.Files[summaryFile], _ = hashFile(filepath.Join(path, summaryFile))
	data, _ := marshal("", inv)
	os.WriteFile(filepath.Join(path, invocationFile), data, 0o666)
	if err := errors.Join(s.Seal(), s.Verify()); err == nil || !strings.Contains(err.Error(), "not the summary of its samples") {
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

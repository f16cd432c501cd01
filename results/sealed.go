package results

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/results/summary"
)

// Seal writes SEALED: the checksums of campaign.json, benchmarks.toml, the
// machines and every invocation.json, which in turn holds those of its other
// files. The lines are those of sha256sum. It is called again after blocks were
// added.
func (s *Store) Seal() error {
	sums, err := s.checksums()
	if err != nil {
		return fmt.Errorf("sealing campaign: %w", err)
	}
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&b, "%s  %s\n", sums[name], name)
	}
	return s.step.replaceFile(s.path(sealedFile), b.Bytes())
}

// Sealed reports whether SEALED is there and true: it lists exactly the files
// of the campaign, as they are. It is false while a campaign runs, and after
// blocks were added or a file was changed; Verify tells which.
func (s *Store) Sealed() (bool, error) {
	want, err := s.readSealed()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	got, err := s.checksums()
	return err == nil && maps.Equal(want, got), err
}

// checksums are those of the files that SEALED lists, by slash-separated name.
func (s *Store) checksums() (map[string]string, error) {
	names := []string{campaignFile, tomlFile}
	for _, pattern := range []string{machinesDir + "/*.json", invocationsDir + "/*/" + invocationFile} {
		// Glob's * takes names with a leading dot.
		paths, err := fs.Glob(os.DirFS(s.dir), pattern)
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			if !strings.Contains(p, "/"+tmpPrefix) {
				names = append(names, p)
			}
		}
	}
	sums := map[string]string{}
	for _, name := range names {
		sum, err := hashFile(s.path(name))
		if errors.Is(err, fs.ErrNotExist) && name == tomlFile {
			continue // imported campaigns have none
		}
		if err != nil {
			return nil, err
		}
		sums[name] = sum
	}
	return sums, nil
}

func (s *Store) readSealed() (map[string]string, error) {
	data, err := os.ReadFile(s.path(sealedFile))
	if err != nil {
		return nil, diskError("reading", s.path(sealedFile), err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || len(sum) != 64 || !filepath.IsLocal(name) {
			return nil, damaged(s.path(sealedFile), fmt.Errorf("line %q", line))
		}
		sums[name] = sum
	}
	return sums, nil
}

// Verify checks every checksum, computes each summary anew from its samples and
// compares it with the stored one. It returns everything that is wrong, joined.
// A campaign without SEALED is checked as far as its invocations go.
func (s *Store) Verify() error {
	errs := []error{s.verifySealed()}
	list, err := s.Invocations()
	errs = append(errs, err)
	for _, inv := range list {
		if err := s.verifyInvocation(inv); err != nil {
			errs = append(errs, fmt.Errorf("invocation %s: %w", inv.Identity, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Store) verifySealed() error {
	want, err := s.readSealed()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	got, err := s.checksums()
	if err != nil {
		return err
	}
	return errors.Join(differences(s.dir, want, got)...)
}

// differences compares checksums by name.
func differences(dir string, want, got map[string]string) []error {
	var errs []error
	all := maps.Clone(want)
	maps.Copy(all, got)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var what string
		switch w, g := want[name], got[name]; {
		case w == g:
			continue
		case w == "":
			what = "no checksum is recorded for it: it was added later"
		case g == "":
			what = "it is gone"
		default:
			what = "its checksum is not the recorded one: it was changed or damaged"
		}
		errs = append(errs, &Error{Problem: ProblemDamaged, Op: "verifying", Path: filepath.Join(dir, name), Err: errors.New(what)})
	}
	return errs
}

func (s *Store) verifyInvocation(inv *Invocation) error {
	dir := s.path(invocationsDir, inv.Identity.String())
	got, err := hashFiles(dir, map[string]bool{invocationFile: true})
	if err != nil {
		return err
	}
	if errs := differences(dir, inv.Files, got); len(errs) > 0 || len(inv.Series) == 0 {
		return errors.Join(errs...)
	}
	return s.verifySummary(inv, filepath.Join(dir, summaryFile))
}

func (s *Store) verifySummary(inv *Invocation, path string) error {
	stored, err := os.ReadFile(path)
	if err != nil {
		return diskError("verifying", path, err)
	}
	if old, err := summary.Decode(stored); err == nil && old.Version != summary.Version {
		return nil // of another version of moobench, and not used
	}
	sum, err := s.summarise(context.Background(), inv)
	if err != nil {
		return err
	}
	again, err := summary.Encode(sum)
	if err != nil {
		return err
	}
	if !bytes.Equal(stored, again) {
		return &Error{Problem: ProblemDamaged, Op: "verifying", Path: path, Err: errors.New("it is not the summary of its samples")}
	}
	return nil
}

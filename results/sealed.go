package results

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Seal writes SEALED: the checksums of campaign.json, benchmarks.toml, the
// machines and every invocation.json, which in turn holds those of its other
// files. The lines are those of sha256sum. It is called again after blocks were
// added. Of an invocation that this process measured it is the checksum of what it
// wrote then: a measured program may have written into the folder of another one since.
func (s *Store) Seal() error {
	sums, err := s.checksums()
	if err != nil {
		return fmt.Errorf("sealing campaign: %w", err)
	}
	for name := range sums {
		if wrote, ok := s.wrote(name); ok {
			sums[name] = wrote
		}
	}
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&b, "%s  %s\n", sums[name], name)
	}
	return s.step.replaceFile(s.path(sealedFile), b.Bytes())
}

// nameOf is the name of an invocation.json in the campaign's folder, as SEALED has it.
func nameOf(folder string) string { return path.Join(invocationsDir, folder, invocationFile) }

// measure notes what was written of an invocation.
func (s *Store) measure(id Identity, data []byte) {
	s.measuring.Lock()
	defer s.measuring.Unlock()
	if s.measured == nil {
		s.measured = map[string]string{}
	}
	s.measured[nameOf(id.String())] = hashOf(data)
}

// wrote returns the checksum of what this process wrote of an invocation.
func (s *Store) wrote(name string) (sum string, ok bool) {
	s.measuring.Lock()
	defer s.measuring.Unlock()
	sum, ok = s.measured[name]
	return sum, ok
}

// asMeasured refuses the content of an invocation.json that is another than was measured, as far as
// this process or SEALED knows: sealed may be nil.
func (s *Store) asMeasured(file string, data []byte, sealed map[string]string) error {
	name := nameOf(filepath.Base(filepath.Dir(file)))
	want, ok := s.wrote(name)
	if !ok {
		want, ok = sealed[name], sealed[name] != ""
	}
	if !ok || want == hashOf(data) {
		return nil
	}
	return newError(problemDamaged, "reading", file, "it is not as it was measured: somebody changed it since, perhaps a measured program", restore)
}

// changedSince is the phrase for a file that is not as it was sealed.
const changedSince = "changed since it was sealed"

// changedNamed is the largest number of files that Sealed names.
const changedNamed = 3

// Sealed reports whether a campaign is finished and unchanged since: SEALED lists
// exactly its files as they are. changed is the sentence about changed files that
// every output prints. Without SEALED, as while the campaign runs, it returns false
// and "".
func (s *Store) Sealed() (sealed bool, changed string) {
	var names []string
	for range 2 { // it may have been unsealed, and sealed again, meanwhile
		want, got, err := s.sealedChecksums()
		if err != nil {
			return false, changedSince + ": " + err.Error()
		}
		if want == nil {
			return false, ""
		}
		if names = unlike(want, got); len(names) == 0 {
			return true, ""
		}
	}
	more := ""
	if n := len(names) - changedNamed; n > 0 {
		names, more = names[:changedNamed], fmt.Sprintf(" and %d more", n)
	}
	return false, changedSince + ": " + strings.Join(names, ", ") + more + "; moobench verify says what became of them"
}

// unlike returns the sorted names whose checksums differ, or that only one side has.
func unlike(want, got map[string]string) []string {
	all := maps.Clone(want)
	maps.Copy(all, got)
	maps.DeleteFunc(all, func(name, _ string) bool { return want[name] == got[name] })
	return slices.Sorted(maps.Keys(all))
}

// sealedChecksums returns the checksums in SEALED and those of the files as they are,
// by slash-separated name; nil without SEALED.
func (s *Store) sealedChecksums() (want, got map[string]string, err error) {
	want, err = s.readSealed()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err == nil {
		got, err = s.checksums()
	}
	return want, got, err
}

// checksums returns those of the files that SEALED lists, by slash-separated name.
func (s *Store) checksums() (map[string]string, error) {
	names := []string{campaignFile, tomlFile}
	for _, pattern := range []string{machinesDir + "/*.json", invocationsDir + "/*/" + invocationFile} {
		// Glob's * takes names with a leading dot. It fails only for a pattern that is none.
		paths, _ := fs.Glob(os.DirFS(s.dir), pattern)
		names = append(names, slices.DeleteFunc(paths, func(p string) bool { return strings.Contains(p, "/"+tmpPrefix) })...)
	}
	sums := map[string]string{}
	for _, name := range names {
		sum, err := hashFile(context.Background(), s.path(name), maxFile)
		switch {
		case err == nil:
			sums[name] = sum
		case name != tomlFile || !errors.Is(err, fs.ErrNotExist): // imported campaigns have none
			return nil, err
		}
	}
	return sums, nil
}

// readSealed returns the checksums in SEALED by slash-separated name.
func (s *Store) readSealed() (map[string]string, error) {
	data, err := readFile(s.path(sealedFile))
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !strings.HasSuffix(line, "\n") {
			return nil, damaged(s.path(sealedFile), fmt.Errorf("it is cut short, after %q", line))
		}
		if !ok || len(sum) != 64 || !filepath.IsLocal(name) {
			return nil, damaged(s.path(sealedFile), fmt.Errorf("line %q", line))
		}
		sums[name] = sum
	}
	return sums, nil
}

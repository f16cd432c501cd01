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

	"golang.org/x/sys/unix"
)

// Seal writes SEALED: the checksums of campaign.json, benchmarks.toml, the machines and every invocation.json,
// which in turn has the checksums of its other files. The lines are in the format of sha256sum. It is called
// again after blocks were added. For an invocation that this process measured it uses the checksum of the file
// as written then: a measured program may have written into the folder of another invocation since.
func (s *Store) Seal() error {
	sums, err := s.checksums()
	if err != nil {
		return fmt.Errorf("sealing campaign: %w", err)
	}
	noted := s.readMeasured()
	for name := range sums {
		if wrote, ok := s.wrote(name); ok {
			sums[name] = wrote
		} else if noted[name] != "" {
			sums[name] = noted[name]
		}
	}
	if err := s.step.replaceFile(s.path(sealedFile), linesOf(sums)); err != nil {
		return err
	}
	if err := os.Remove(s.path(measuredFile)); !errors.Is(err, fs.ErrNotExist) {
		return diskError("sealing", s.path(measuredFile), err)
	}
	return nil
}

// linesOf formats checksums as sha256sum does.
func linesOf(sums map[string]string) []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&b, "%s  %s\n", sums[name], name)
	}
	return b.Bytes()
}

// nameOf is the path of an invocation.json in the campaign's folder, as listed in SEALED.
func nameOf(folder string) string { return path.Join(invocationsDir, folder, invocationFile) }

// measure records the checksum of an invocation.json that was written: in this process, and in MEASURED for a
// process that resumes the campaign.
func (s *Store) measure(id Identity, data []byte) error {
	s.measuring.Lock()
	defer s.measuring.Unlock()
	if s.measured == nil {
		s.measured = map[string]string{}
	}
	name, sum := nameOf(id.String()), hashOf(data)
	s.measured[name] = sum
	path := s.path(measuredFile)
	err := s.step.at("note " + measuredFile)
	if err == nil {
		err = appendTo(path, linesOf(map[string]string{name: sum}))
	}
	return diskError("writing", path, err)
}

// appendTo appends lines to a regular file, which it makes if necessary, and waits until they are on the disk.
// It ends an unfinished line first.
func appendTo(path string, data []byte) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|unix.O_NOFOLLOW, 0o666)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 {
		var last [1]byte
		if _, err = f.ReadAt(last[:], info.Size()-1); err == nil && last[0] != '\n' {
			data = append([]byte("\n"), data...)
		}
	}
	if err == nil {
		_, err = f.Write(data)
	}
	return closeSynced(f, err)
}

// readMeasured returns the checksums of invocations in MEASURED, which killed processes left, by name. If an
// invocation was measured again, its last line counts; an unfinished line is skipped.
func (s *Store) readMeasured() map[string]string {
	sums := map[string]string{}
	data, _ := readFile(s.path(measuredFile)) // empty if MEASURED is missing
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if ok && len(sum) == 64 && strings.HasSuffix(line, "\n") {
			sums[name] = sum
		}
	}
	return sums
}

// wrote returns the checksum of an invocation.json that this process wrote.
func (s *Store) wrote(name string) (sum string, ok bool) {
	s.measuring.Lock()
	defer s.measuring.Unlock()
	sum, ok = s.measured[name]
	return sum, ok
}

// asMeasured refuses the content of an invocation.json that changed after it was measured, as far as this
// process or sealed, the content of SEALED, knows; sealed may be nil.
func (s *Store) asMeasured(file string, data []byte, sealed map[string]string) error {
	name := nameOf(filepath.Base(filepath.Dir(file)))
	want, ok := s.wrote(name)
	if !ok {
		want, ok = sealed[name], sealed[name] != ""
	}
	if !ok || want == hashOf(data) {
		return nil
	}
	return newError(problemDamaged, "reading", file,
		"it is not as it was measured: somebody changed it since, perhaps a measured program", restore)
}

// changedSince is the phrase for a file that changed after it was sealed.
const changedSince = "changed since it was sealed"

// changedNamed is the largest number of files that Sealed names.
const changedNamed = 3

// Sealed reports whether a campaign is complete and unchanged: SEALED lists exactly its files as they are.
// changed is the sentence about changed files that every output prints. Without SEALED, as while the campaign
// runs, it returns false and "".
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

// Unvouched reports whether a campaign's folder has invocations without recorded checksums, since both SEALED
// and MEASURED are missing: they were lost, or the moobench that measured it did not write MEASURED.
func Unvouched(dir string) bool {
	for _, name := range []string{sealedFile, measuredFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return false
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, invocationsDir))
	return err == nil && len(entries) > 0
}

// unlike returns the sorted names whose checksums differ, or that only one side has.
func unlike(want, got map[string]string) []string {
	all := maps.Clone(want)
	maps.Copy(all, got)
	maps.DeleteFunc(all, func(name, _ string) bool { return want[name] == got[name] })
	return slices.Sorted(maps.Keys(all))
}

// sealedChecksums returns the checksums in SEALED and those of the current files, by slash-separated name; nil
// without SEALED.
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

// checksums returns the checksums of the files that SEALED lists, by slash-separated name.
func (s *Store) checksums() (map[string]string, error) {
	names := []string{campaignFile, tomlFile}
	for _, pattern := range []string{machinesDir + "/*.json", invocationsDir + "/*/" + invocationFile} {
		// Glob's * takes names with a leading dot. It fails only for a malformed pattern.
		paths, _ := fs.Glob(os.DirFS(s.dir), pattern)
		paths = slices.DeleteFunc(paths, func(p string) bool { return strings.Contains(p, "/"+tmpPrefix) })
		names = append(names, paths...)
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

// Files returns the sorted slash-separated names of all files of a sealed campaign, after SEALED itself.
func (s *Store) Files() ([]string, error) {
	sealed, err := s.readSealed()
	if err != nil {
		return nil, err
	}
	names := slices.Collect(maps.Keys(sealed))
	list, unread := s.readInvocations()
	if err := errors.Join(unread...); err != nil {
		return nil, err
	}
	for _, inv := range list {
		for name := range inv.Files {
			names = append(names, path.Join(invocationsDir, inv.Identity.String(), name))
		}
	}
	slices.Sort(names)
	return append([]string{sealedFile}, names...), nil
}

// SealDigest returns the SHA-256 of SEALED: campaigns with the same digest are the same campaign.
func (s *Store) SealDigest() (string, error) {
	return hashFile(context.Background(), s.path(sealedFile), maxFile)
}

// readSealed returns the checksums in SEALED by slash-separated name.
func (s *Store) readSealed() (map[string]string, error) {
	path := s.path(sealedFile)
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return ParseSealed(path, data)
}

// ParseSealed returns the checksums in the content of the SEALED at path, by slash-separated name.
func ParseSealed(path string, data []byte) (map[string]string, error) {
	sums := map[string]string{}
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !strings.HasSuffix(line, "\n") {
			return nil, damaged(path, fmt.Errorf("it is cut short, after %q", line))
		}
		if !ok || len(sum) != 64 || !filepath.IsLocal(name) {
			return nil, damaged(path, fmt.Errorf("line %q", line))
		}
		sums[name] = sum
	}
	return sums, nil
}

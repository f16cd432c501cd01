package run

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/proc"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// Preparer runs tools that change classes before any JVM is started with them, and caches the results.
type Preparer struct {
	Cache    string // folder of prepared classes, by content
	Fixtures fixture.Built
	Resolver *framework.Resolver
	Log      io.Writer // gets a line before a tool runs
}

// A folder of the cache holds prepared classes and, if they are complete, their digest.
const (
	preparedClasses = "classes"
	preparedMark    = "digest"
)

// Limits for unpacking: a jar may expand to more than any disk holds.
const (
	mostPreparedFiles = 100_000
	mostPreparedBytes = 1 << 30
	mostClassBytes    = 64 << 20
)

// preparedWithin bounds the time of a tool.
const preparedWithin = 10 * time.Minute

// Prepare prepares the classes of all variants that ask for it, before anything is started, and records the
// results in the plan. java returns the JVM of a cell.
func (all *Artifacts) Prepare(ctx context.Context, p *plan.Plan, with *Preparer, java func(plan.Cell) jvm.Java) error {
	var errs []error
	for i := range p.Cells {
		c := &p.Cells[i]
		if c.Recipe.Prepare.Of == "" || all.wrong[c.Variant] != nil {
			continue
		}
		made, known := all.prepared[preparedFor(c)]
		if !known { // otherwise another cell has them too
			var err error
			made, err = with.prepare(ctx, c, all, java(*c))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			all.prepared[preparedFor(c)] = made
			errs = append(errs, err)
		}
		if made.dir != "" {
			isPrepared := func(a results.Artifact) bool { return a.Name == framework.PreparedName }
			others := slices.DeleteFunc(slices.Clone(c.Launch.Artifacts), isPrepared)
			artifact := results.Artifact{Name: framework.PreparedName, SHA256: made.digest}
			errs = append(errs, record(p, c, append(others, artifact)))
		}
	}
	return errors.Join(errs...)
}

// prepared is a folder of classes modified by a tool, with their digest; the zero value means failure.
type prepared struct{ dir, digest string }

// preparedFor is the key of prepared classes: variant, JDK, and target.
func preparedFor(c *plan.Cell) [3]string { return [3]string{c.Variant, c.JDK.Home, c.Launch.Target} }

// prepare returns the prepared classes of a cell.
func (w *Preparer) prepare(
	ctx context.Context, c *plan.Cell, found *Artifacts, java jvm.Java,
) (made prepared, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("preparing the classes of %s: %w", c.Variant, err)
		}
	}()
	recipe := c.Recipe.Prepare
	vars := map[string]string{"java": java.Path, "class": c.Launch.Target}
	for alias, path := range found.paths[c.Variant] {
		vars["jar."+alias] = path
	}
	for _, m := range w.Fixtures.Modules() {
		vars["fixture."+m] = found.jar(w.Fixtures, c.Variant, m)
	}
	filled, err := framework.ExpandAll(append([]string{recipe.Of}, recipe.Run...), vars)
	if err != nil {
		return prepared{}, err
	}
	of, run := filled[0], filled[1:]
	key, err := w.key(ctx, c, of, run, vars, java)
	if err != nil {
		return prepared{}, err
	}
	if err := safefile.MakeCache(w.Cache); err != nil {
		return prepared{}, err
	}
	kept := filepath.Join(w.Cache, key[:16])
	if made, ok := w.intact(ctx, kept); ok {
		return made, nil
	}
	tmp, err := os.MkdirTemp(w.Cache, ".tmp-")
	if err != nil {
		return prepared{}, err
	}
	defer os.RemoveAll(tmp)
	fmt.Fprintf(w.Log, "preparing the classes of %s …\n", c.Variant)
	digest, err := makePrepared(ctx, filepath.Join(tmp, preparedClasses), of, run, c)
	if err != nil {
		return prepared{}, err
	}
	if err := os.WriteFile(filepath.Join(tmp, preparedMark), []byte(digest), 0o644); err != nil {
		return prepared{}, err
	}
	if made, ok := w.intact(ctx, kept); ok { // another moobench was faster, and may be using them
		return made, nil
	}
	if err := errors.Join(os.RemoveAll(kept), os.Rename(tmp, kept)); err != nil {
		return prepared{}, err
	}
	return prepared{filepath.Join(kept, preparedClasses), digest}, nil
}

// key hashes all inputs: the classes, the tool with all of its jars, files on its command line, its settings, and
// the JVM.
func (w *Preparer) key(
	ctx context.Context, c *plan.Cell, of string, run []string, vars map[string]string, java jvm.Java,
) (string, error) {
	sum := sha256.New()
	add := func(path string) error {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			digest, err := treeDigest(ctx, &w.Resolver.Digests, path, "")
			fmt.Fprintf(sum, "%s\n", digest)
			return err
		}
		digest, err := w.Resolver.Digest(path)
		fmt.Fprintf(sum, "%s\n", digest)
		return err
	}
	if err := add(of); err != nil {
		return "", err
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if c.Recipe.Prepare.Uses(name) && (strings.HasPrefix(name, "jar.") || strings.HasPrefix(name, "fixture.")) {
			if err := add(vars[name]); err != nil {
				return "", err
			}
		}
	}
	for _, path := range named(run) {
		if err := add(path); err != nil {
			return "", err
		}
	}
	fmt.Fprintf(sum, "%q %q %q %q", c.Recipe.Prepare.Run, c.Recipe.Prepare.Holds, c.Launch.Target, java.Version)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// named returns the files that a command line names: its program, as found on PATH, and every absolute path of a
// file in its words, even inside a shell command. These files determine the tool's behaviour; files that they read
// in turn are unknown.
func named(run []string) []string {
	var files []string
	if program, err := exec.LookPath(run[0]); err == nil {
		files = append(files, program)
	}
	separates := func(c rune) bool { return strings.ContainsRune(" \t\n=:,;\"'@<>|&()", c) }
	for _, word := range run {
		for _, part := range strings.FieldsFunc(word, separates) {
			if info, err := os.Stat(part); err == nil && filepath.IsAbs(part) && info.Mode().IsRegular() {
				files = append(files, part)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// intact returns the content of a cache folder, if it is unchanged.
func (w *Preparer) intact(ctx context.Context, kept string) (made prepared, ok bool) {
	mark, err := safefile.ReadOwn(filepath.Join(kept, preparedMark), 1<<10)
	if err != nil {
		return prepared{}, false
	}
	made.dir = filepath.Join(kept, preparedClasses)
	made.digest, err = treeDigest(ctx, &w.Resolver.Digests, made.dir, classFile)
	return made, err == nil && made.digest == string(mark)
}

// makePrepared copies the classes into a folder, runs the tool on them, and checks that it changed them. The
// tool's exit status proves nothing: several exit with 0 without having done anything.
func makePrepared(ctx context.Context, dir, of string, run []string, c *plan.Cell) (digest string, err error) {
	if err := unpack(of, dir); err != nil {
		return "", fmt.Errorf("copying %s: %w", of, err)
	}
	target := strings.ReplaceAll(c.Launch.Target, ".", "/") + classFile
	before, err := readClass(dir, target)
	if err != nil {
		return "", refusal.New(fmt.Errorf("%s has no class %s", of, c.Launch.Target),
			"target names the class whose method is called")
	}
	limited, cancel := context.WithTimeout(ctx, preparedWithin)
	defer cancel()
	out, failed := proc.Said(proc.CommandGroup(limited, dir, run))
	said := func(err error) error {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if text := strings.Join(lines[max(0, len(lines)-12):], "\n  "); text != "" {
			return fmt.Errorf("%w; it said:\n  %s", err, text)
		}
		return err
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return "", said(fmt.Errorf("%s: not done after %s, and ended", strings.Join(run, " "), preparedWithin))
	case failed != nil:
		return "", said(fmt.Errorf("%s: %w", strings.Join(run, " "), failed))
	}
	after, err := readClass(dir, target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", said(fmt.Errorf("the tool removed the class %s", c.Launch.Target))
	case err != nil:
		return "", said(fmt.Errorf("the class %s can't be read any more: %w", c.Launch.Target, err))
	case bytes.Equal(before, after):
		return "", said(fmt.Errorf("the tool ended with status 0, but left the class %s as it was", c.Launch.Target))
	}
	for _, constant := range c.Recipe.Prepare.Holds {
		if !bytes.Contains(after, utf8Constant(constant)) {
			return "", said(fmt.Errorf("the tool ended with status 0, but the class %s does not hold %q",
				c.Launch.Target, constant))
		}
	}
	return treeDigest(ctx, new(safefile.Digests), dir, classFile) // the folder will be renamed
}

// readClass reads a class file from a folder that a tool may have changed arbitrarily.
func readClass(dir, name string) ([]byte, error) { return safefile.ReadIn(dir, name, mostClassBytes) }

// utf8Constant encodes an ASCII text as in the constant pool of a class file (JVM specification 4.4.7).
func utf8Constant(text string) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{1}, uint16(len(text))), text...)
}

// unpack copies the content of a jar or a folder into a new folder.
func unpack(of, dir string) error {
	if info, err := os.Stat(of); err != nil {
		return err
	} else if info.IsDir() {
		return os.CopyFS(dir, os.DirFS(of))
	}
	jar, err := zip.OpenReader(of)
	if err != nil {
		return err
	}
	defer jar.Close()
	if len(jar.File) > mostPreparedFiles {
		return fmt.Errorf("it holds %d files, at most %d are unpacked", len(jar.File), mostPreparedFiles)
	}
	left := int64(mostPreparedBytes)
	for _, f := range jar.File {
		name := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(name) {
			return fmt.Errorf("%q is not a name of a file in a folder", f.Name)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if f.FileInfo().IsDir() {
			if err := os.MkdirAll(path, 0o755); err != nil {
				return err
			}
			continue
		}
		n, err := unpackFile(f, path, left)
		if left -= n; err != nil {
			return err
		}
	}
	return nil
}

// unpackFile writes a file of a jar, of at most this many bytes.
func unpackFile(f *zip.File, path string, most int64) (int64, error) {
	from, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer from.Close()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return 0, err
	}
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(to, io.LimitReader(from, most+1))
	if n > most {
		err = fmt.Errorf("it holds more than %d bytes", int64(mostPreparedBytes))
	}
	return n, errors.Join(err, to.Close())
}

// classFile is the suffix of prepared classes. A tool's other files, such as a list with the date, are not part of
// the result.
const classFile = ".class"

// treeDigest hashes the names and contents of the files in a folder that have this suffix.
func treeDigest(ctx context.Context, digests *safefile.Digests, dir, end string) (string, error) {
	sum, left, files := sha256.New(), int64(mostPreparedBytes), 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, end) {
			return err
		}
		if info, err := os.Stat(path); err == nil {
			left -= info.Size()
		}
		if files++; left < 0 || files > mostPreparedFiles {
			return fmt.Errorf("%s: it holds more than %d files, or more than %d bytes",
				dir, mostPreparedFiles, int64(mostPreparedBytes))
		}
		digest, err := digests.Digest(ctx, path, mostPreparedBytes, safefile.Open)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		fmt.Fprintf(sum, "%s  %s\n", digest, name)
		return err
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

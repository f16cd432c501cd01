package results

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"moobench/results/safefile"
)

// tmpPrefix is the prefix of unfinished files and folders: they are written under such a name beside their
// final place, synced, and renamed.
const tmpPrefix = ".tmp-"

// A folder of results may come from anybody. Our files are regular ones, and no larger
// than these bounds; a larger one is damaged, and no memory is allocated for it.
const (
	mostBytes  = 64 << 30 // bytes of any other file: several times the maximum of a log of events
	maxFile    = 64 << 20 // bytes of a JSON file, of benchmarks.toml and of SEALED
	maxObjects = 1 << 19  // JSON objects in one of them, which take far more memory than bytes
)

// steps lets a test stop, kill or fail a writer between any two of its system calls.
// It is nil outside tests.
type steps func(name string) error

func (s steps) at(name string) error {
	if s == nil {
		return nil
	}
	return s(name)
}

// replaceFile writes a file whole or not at all.
func (s steps) replaceFile(path string, data []byte) error {
	dir, name := filepath.Split(path)
	tmp := filepath.Join(dir, tmpPrefix+name)
	err := s.writeFile(tmp, data)
	if err == nil {
		err = s.publish(tmp, path)
	}
	if err != nil {
		os.Remove(tmp) // gone already when it was renamed
	}
	return diskError("writing", path, err)
}

// publish renames a synced file or folder to its final name, and syncs the folder.
func (s steps) publish(tmp, path string) error {
	dir, name := filepath.Split(path)
	err := s.at("rename " + name)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return err
	}
	return errors.Join(s.at("sync folder of "+name), safefile.Sync(dir))
}

// writeFile writes a file and waits until it is on the disk.
func (s steps) writeFile(path string, data []byte) error {
	f, err := s.create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, s.at("sync "+filepath.Base(path)))
	return diskError("writing", path, closeSynced(f, err))
}

// create makes a new file in place of one that an earlier attempt left. The old one is unlinked, not opened: it
// may be a link that leads elsewhere.
func (s steps) create(path string) (f *os.File, err error) {
	if err = s.at("create " + filepath.Base(path)); err == nil {
		err = unix.Unlink(path)
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		f, err = safefile.Create(path, 0o666)
	}
	return f, diskError("writing", path, err)
}

// closeSynced closes a file after its content has reached the disk; before is the error
// of writing it, if any.
func closeSynced(f *os.File, before error) error {
	if before == nil {
		before = f.Sync()
	}
	return errors.Join(before, f.Close())
}

// hashFile returns the SHA-256, as hex, of a regular file of at most most bytes.
func hashFile(ctx context.Context, path string, most int64) (string, error) {
	sum, err := safefile.Digest(ctx, path, most, safefile.Open)
	return sum, diskError("reading", path, err)
}

// hashOf returns the SHA-256 of data as hex.
func hashOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// hashFiles returns the SHA-256 of each regular file below dir by its slash-separated relative name, except the
// skipped ones. most returns the size limit of a file by its name.
func hashFiles(
	ctx context.Context, dir string, most func(name string) int64, skip map[string]bool,
) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || skip[filepath.ToSlash(rel)] || !e.Type().IsRegular() {
			return err
		}
		files[filepath.ToSlash(rel)], err = hashFile(ctx, path, most(rel))
		return err
	})
	return files, diskError("reading", dir, err)
}

// readFile reads one of our files.
func readFile(path string) ([]byte, error) {
	data, err := safefile.Read(path, maxFile)
	return data, diskError("reading", path, err)
}

// decodeJSON decodes the content of the file path into v, after it has made sure that
// we know its format. This is the only place where format 1 is read: its keys are renamed
// before anything else sees them.
func decodeJSON(path string, data []byte, v any) error {
	var head struct {
		Format int `json:"format"`
	}
	err := bounded(data)
	if err == nil {
		err = json.Unmarshal(data, &head)
	}
	switch {
	case err != nil:
	case head.Format > Format:
		why := fmt.Sprintf("it has format %d, this moobench reads formats up to %d", head.Format, Format)
		return newError(problemNewer, "reading", path, why, "use a newer moobench; nothing was changed")
	case head.Format < 1:
		err = errors.New("it names no format, so it is not one of moobench's files")
	case head.Format == 1:
		data, err = format1.Upgrade(data)
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return damaged(path, err)
	}
	return nil
}

// bounded returns an error if reading a JSON file would take much memory.
func bounded(data []byte) error {
	if n := bytes.Count(data, []byte("{")); n > maxObjects {
		return fmt.Errorf("it has %d objects, and at most %d are allowed", n, maxObjects)
	}
	if len(data) > maxFile {
		return fmt.Errorf("it has %d bytes, and at most %d are allowed", len(data), maxFile)
	}
	return nil
}

// marshal renders one of our files: indented, so that it can be read and compared, and with < and & unescaped.
func marshal(path string, v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(v)
	if err == nil {
		err = bounded(b.Bytes()) // it must be readable again
	}
	if err != nil {
		return nil, &Error{problemOther, "writing", path, err, ""}
	}
	return b.Bytes(), nil
}

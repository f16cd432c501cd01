// Package fleet knows how a campaign travels: the file in which a finished one is moved from host to
// host, and how the shards of a plan, each measured on some host, become one campaign again.
//
// Both are pure: the same campaign gives the same file, and the same shards give the same campaign,
// whatever their order, bit for bit.
package fleet

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// Pack writes a sealed campaign into one file: a tar of its files, SEALED first, which has the
// checksums of all others, directly or in an invocation.json. What a page or a user added to the
// folder stays out. The same campaign makes the same bytes.
func Pack(ctx context.Context, store *results.Store, name string) error {
	if sealed, changed := store.Sealed(); !sealed {
		if changed == "" {
			changed = "not complete: finish it with: moobench run --resume " + store.Dir()
		}
		return fmt.Errorf("packing %s: it is %s", store.Dir(), changed)
	}
	files, err := store.Files()
	if err != nil {
		return err
	}
	err = safefile.Replace(name, func(w io.Writer) error {
		t := tar.NewWriter(w)
		for _, file := range files {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := add(t, store.Dir(), file); err != nil {
				return err
			}
		}
		return t.Close()
	})
	if err != nil {
		return fmt.Errorf("packing %s: %w", store.Dir(), err)
	}
	return nil
}

// add writes a file of a campaign. Whose it is and when it was written is of the host, and left out.
func add(t *tar.Writer, dir, name string) error {
	f, err := safefile.OpenIn(dir, filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: info.Size(), Format: tar.FormatPAX}); err != nil {
		return err
	}
	_, err = io.Copy(t, f)
	return err
}

// Unpack makes a folder of a packed campaign, which must not exist yet, and opens it. A file may
// come from anybody: it makes nothing but regular files below that folder, which together are no
// larger than itself, and is refused unless it holds exactly what its SEALED vouches for.
func Unpack(ctx context.Context, file, dir string) (*results.Store, error) {
	tmp, err := scratch(dir)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp) // gone already when it was renamed
	if _, err := open(ctx, file, tmp); err != nil {
		return nil, err
	}
	if err := publish(tmp, dir); err != nil {
		return nil, err
	}
	return results.Open(dir)
}

// scratch makes an empty folder beside one that must not exist yet.
func scratch(dir string) (tmp string, err error) {
	if _, err := os.Lstat(dir); err == nil {
		return "", refusal.New(fmt.Errorf("%s is there already", dir), "choose another folder with -o")
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", refusal.New(fmt.Errorf("making the folder: %w", err), "choose another folder with -o")
	}
	tmp = filepath.Join(parent, fmt.Sprintf(".tmp-%s-%d", filepath.Base(dir), os.Getpid()))
	if err := os.RemoveAll(tmp); err != nil { // of a process of the same number that was killed
		return "", fmt.Errorf("removing what an earlier process left: %w", err)
	}
	return tmp, os.Mkdir(tmp, 0o777)
}

// publish gives a folder its name, once all in it is on the disk. One call for all: a merged
// campaign may have a million files.
func publish(tmp, dir string) error {
	f, err := os.Open(tmp)
	if err != nil {
		return err
	}
	err = unix.Syncfs(int(f.Fd()))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing %s to the disk: %w", dir, err)
	}
	if err := os.Rename(tmp, dir); err != nil {
		return fmt.Errorf("making %s: %w", dir, err)
	}
	return safefile.Sync(filepath.Dir(filepath.Clean(dir)))
}

// open unpacks a file into an empty folder, and makes sure of what it held.
func open(ctx context.Context, file, dir string) (*results.Store, error) {
	if err := extract(ctx, file, dir); err != nil {
		return nil, refusal.New(fmt.Errorf("unpacking %s: %w", file, err), "copy it again from where it was measured")
	}
	store, err := results.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("unpacking %s: %w", file, err)
	}
	return store, intact(ctx, store, file)
}

// intact refuses a campaign that is not as it was sealed, and names what is not.
func intact(ctx context.Context, store *results.Store, name string) error {
	changes := store.Changes(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(changes) > 0 {
		named := results.Each(changes, func(e *results.Error) string {
			rel, err := filepath.Rel(store.Dir(), e.Path)
			if err != nil {
				rel = e.Path
			}
			return rel + ": " + e.Err.Error()
		})
		if more := len(named) - namedChanges; more > 0 {
			named = append(named[:namedChanges], fmt.Sprintf("and %d more", more))
		}
		return refusal.New(fmt.Errorf("%s is not as it was sealed: %s", name, strings.Join(named, "; ")), "copy it again from where it was measured")
	}
	return nil
}

// namedChanges is how many changed files are named.
const namedChanges = 3

// extract writes the files of a pack.
func extract(ctx context.Context, file, dir string) error {
	f, err := safefile.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	left, t := info.Size(), tar.NewReader(f)
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := t.Next()
		if errors.Is(err, io.EOF) && !first {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it is no packed campaign, or cut short: %w", err)
		}
		// A sparse file may claim to be larger than all of the tar.
		if left -= h.Size; h.Typeflag != tar.TypeReg || left < 0 {
			return fmt.Errorf("it holds %q, which is no regular file of this size", h.Name)
		}
		if !fits(h.Name) || first != (h.Name == "SEALED") {
			return fmt.Errorf("it holds %q, which no packed campaign has there", h.Name)
		}
		if err := write(root, h.Name, t); err != nil {
			return err
		}
	}
}

// fits says whether a file of a campaign may have this name.
func fits(name string) bool {
	if !filepath.IsLocal(name) || path.Clean(name) != name || strings.Contains(name, `\`) {
		return false
	}
	parts := strings.Split(name, "/")
	if slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, ".tmp-") }) {
		return false
	}
	switch {
	case len(parts) == 1:
		return slices.Contains([]string{"SEALED", "campaign.json", "benchmarks.toml"}, name)
	case parts[0] == "machines":
		return len(parts) == 2 && strings.HasSuffix(name, ".json")
	case parts[0] == "invocations" && len(parts) > 2:
		_, err := results.ParseIdentity(parts[1])
		return err == nil
	}
	return false
}

// write makes a new file below a folder.
func write(root *os.Root, name string, from io.Reader) error {
	if err := makeFolders(root, path.Dir(name)); err != nil {
		return err
	}
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// makeFolders makes a folder below the root, and those above it.
func makeFolders(root *os.Root, dir string) error {
	if dir == "." {
		return nil
	}
	err := root.MkdirAll(filepath.FromSlash(dir), 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// Look returns the campaign that is in a packed file, or in a folder, once all of it was found to be
// as it was sealed.
func Look(ctx context.Context, name string) (*results.Campaign, error) {
	tmp, err := os.MkdirTemp(filepath.Dir(name), ".tmp-look-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	store, err := open(ctx, name, tmp)
	if err != nil {
		return nil, err
	}
	return store.Campaign(), nil
}

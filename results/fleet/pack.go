// Package fleet moves campaigns between hosts: it packs a finished campaign into one file, and merges the
// shards of a plan, each measured on some host, into one campaign.
//
// Both are deterministic: the same campaign gives the same file, and the same shards give the same campaign, in
// whatever order, bit for bit.
package fleet

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
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

// Pack writes a sealed campaign into one file: a tar of its files, SEALED first, which has the checksums of all
// others, directly or through an invocation.json. Files that a page or a user added to the folder stay out. The
// same campaign gives the same bytes.
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
	all := results.Each(files, func(file string) member {
		return member{name: file, open: func() (*os.File, error) {
			return safefile.OpenIn(store.Dir(), filepath.FromSlash(file))
		}}
	})
	if err := writeTar(ctx, name, all); err != nil {
		return fmt.Errorf("packing %s: %w", store.Dir(), err)
	}
	return nil
}

// member is a file of a tar.
type member struct {
	name string
	text []byte                   // content of a file that is only in memory
	open func() (*os.File, error) // otherwise opens it
}

// writeTar writes files into a tar, whole or not at all.
func writeTar(ctx context.Context, name string, all []member) error {
	return safefile.Replace(name, func(w io.Writer) error {
		t := tar.NewWriter(w)
		for _, m := range all {
			if err := errors.Join(ctx.Err(), m.addTo(t)); err != nil {
				return err
			}
		}
		return t.Close()
	})
}

// addTo writes the file. Its owner and times belong to the host, and are left out.
func (m member) addTo(t *tar.Writer) error {
	head := &tar.Header{Name: m.name, Mode: 0o644, Size: int64(len(m.text)), Format: tar.FormatPAX}
	if m.open == nil {
		err := t.WriteHeader(head)
		if err == nil {
			_, err = t.Write(m.text)
		}
		return err
	}
	f, err := m.open()
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	head.Size = info.Size()
	if err := t.WriteHeader(head); err != nil {
		return err
	}
	_, err = io.Copy(t, f)
	return err
}

// Unpack makes a folder of a packed campaign, which must not exist yet, and opens it. The file may come from
// anybody: only regular files below that folder are made, together no larger than the file itself, and it is
// refused unless it holds exactly the files that its SEALED vouches for.
func Unpack(ctx context.Context, file, dir string) (*results.Store, error) {
	tmp, err := scratch(dir)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp) // already gone if it was renamed
	if _, err := open(ctx, file, tmp); err != nil {
		return nil, err
	}
	if err := publish(tmp, dir); err != nil {
		return nil, err
	}
	return results.Open(dir)
}

// scratch makes an empty folder beside dir, which must not exist yet.
func scratch(dir string) (tmp string, err error) {
	if _, err := os.Lstat(dir); err == nil {
		return "", refusal.New(fmt.Errorf("%s is there already", dir), "choose another folder with -o")
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", refusal.New(fmt.Errorf("making the folder: %w", err), "choose another folder with -o")
	}
	tmp = filepath.Join(parent, fmt.Sprintf(".tmp-%s-%d", filepath.Base(dir), os.Getpid()))
	if err := os.RemoveAll(tmp); err != nil { // left by a killed process with the same PID
		return "", fmt.Errorf("removing what an earlier process left: %w", err)
	}
	return tmp, os.Mkdir(tmp, 0o777)
}

// publish renames a folder to its final name, once its files are on the disk. It syncs the whole file system in
// one call, since a merged campaign may have a million files.
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

// open unpacks a campaign into an empty folder and opens it.
func open(ctx context.Context, file, dir string) (*results.Store, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err := read(ctx, file, root); err != nil {
		return nil, err
	}
	store, err := results.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("unpacking %s: %w", file, err)
	}
	return store, nil
}

// Look returns the campaign in a packed file, after checking that all of the file is as it was sealed. It
// writes nothing.
func Look(ctx context.Context, file string) (*results.Campaign, error) { return read(ctx, file, nil) }

// intact refuses a folder that changed after it was sealed, and names the changes.
func intact(ctx context.Context, store *results.Store, name string) error {
	changes := store.Changes(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	err := asSealed(name, results.Each(changes, func(e *results.Error) string {
		rel, err := filepath.Rel(store.Dir(), e.Path)
		if err != nil {
			rel = e.Path
		}
		return rel + ": " + e.Err.Error()
	}))
	if err != nil {
		return refusal.New(err, "copy it again from where it was measured")
	}
	return nil
}

// asSealed returns an error that names the first changes, or nil without changes.
func asSealed(name string, changes []string) error {
	if len(changes) == 0 {
		return nil
	}
	if more := len(changes) - namedChanges; more > 0 {
		changes = append(changes[:namedChanges], fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s is not as it was sealed: %s", name, strings.Join(changes, "; "))
}

// namedChanges is the number of changed files that are named.
const namedChanges = 3

// read reads a pack, checks that it holds exactly the files that its SEALED vouches for, and writes them below
// root, unless it is nil.
func read(ctx context.Context, file string, root *os.Root) (*results.Campaign, error) {
	got, err := campaigns.extract(ctx, file, root)
	var c *results.Campaign
	if err == nil {
		c, err = got.check(file)
	}
	if err != nil {
		return nil, refusal.New(fmt.Errorf("unpacking %s: %w", file, err), "copy it again from where it was measured")
	}
	return c, nil
}

// contents is the content of a pack.
type contents struct {
	sums map[string]string // SHA-256 by name
	kept map[string][]byte // files that list the others
}

// mostKept is the size limit of a file kept in memory, as for any JSON file of a campaign.
const mostKept = 64 << 20

// kind is a kind of tar.
type kind struct {
	what  string                 // name of the kind, for messages
	first string                 // name of its first file
	fits  func(name string) bool // whether a file may have this name
	keeps func(name string) bool // whether the file lists others
}

// campaigns describes packed campaigns.
var campaigns = kind{"packed campaign", sealedName, fits, func(name string) bool {
	base := path.Base(name)
	return base == sealedName || base == campaignName || base == invocationName
}}

// extract reads the files of a tar, and writes them below root, unless it is nil.
func (k kind) extract(ctx context.Context, file string, root *os.Root) (*contents, error) {
	f, err := safefile.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	got := &contents{sums: map[string]string{}, kept: map[string][]byte{}}
	left, t := info.Size(), tar.NewReader(f)
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h, err := t.Next()
		if errors.Is(err, io.EOF) && !first {
			return got, nil
		}
		if err != nil {
			return nil, fmt.Errorf("it is no %s, or cut short: %w", k.what, err)
		}
		// A sparse file may claim to be larger than the whole tar.
		if left -= h.Size; h.Typeflag != tar.TypeReg || left < 0 {
			return nil, fmt.Errorf("it holds %q, which is not a regular file of this size", h.Name)
		}
		if !k.fits(h.Name) || first != (h.Name == k.first) || got.sums[h.Name] != "" {
			return nil, fmt.Errorf("it holds %q, which no %s has there", h.Name, k.what)
		}
		if err := got.take(h, t, root, k.keeps(h.Name)); err != nil {
			return nil, err
		}
	}
}

// Files of a campaign that list others.
const (
	sealedName     = "SEALED"
	campaignName   = "campaign.json"
	invocationName = "invocation.json"
)

// take reads a file, and writes it below root, unless it is nil.
func (c *contents) take(h *tar.Header, from io.Reader, root *os.Root, keep bool) error {
	sum := sha256.New()
	to := io.Writer(sum)
	if keep {
		if h.Size > mostKept {
			return fmt.Errorf("%s has %d bytes, and at most %d are allowed", h.Name, h.Size, mostKept)
		}
		var b bytes.Buffer
		to = io.MultiWriter(sum, &b)
		defer func() { c.kept[h.Name] = b.Bytes() }()
	}
	from = io.TeeReader(from, to)
	var err error
	if root != nil {
		err = write(root, h.Name, from)
	} else {
		_, err = io.Copy(io.Discard, from)
	}
	c.sums[h.Name] = hex.EncodeToString(sum.Sum(nil))
	return err
}

// check checks that the files are exactly the ones that SEALED and each invocation.json list, and unchanged.
func (c *contents) check(file string) (*results.Campaign, error) {
	want, err := results.ParseSealed(sealedName, c.kept[sealedName])
	if err != nil {
		return nil, err
	}
	for name := range maps.Clone(want) {
		dir, base := path.Split(name)
		if base != invocationName || c.kept[name] == nil {
			continue
		}
		id, err := results.ParseIdentity(path.Base(dir))
		if err != nil {
			return nil, err
		}
		inv, err := results.DecodeInvocation(name, c.kept[name], id)
		if err != nil {
			return nil, err
		}
		for other, sum := range inv.Files {
			want[dir+other] = sum
		}
	}
	if err := asSealed(file, changesOf(want, c.others(sealedName))); err != nil {
		return nil, err
	}
	return results.DecodeCampaign(campaignName, c.kept[campaignName])
}

// others returns the checksums of all files but one.
func (c *contents) others(but string) map[string]string {
	sums := maps.Clone(c.sums)
	delete(sums, but)
	return sums
}

// changesOf describes each difference between wanted and actual checksums.
func changesOf(want, got map[string]string) (changes []string) {
	for _, name := range sortedKeys(want) {
		switch {
		case got[name] == "":
			changes = append(changes, name+" is gone")
		case got[name] != want[name]:
			changes = append(changes, name+": its checksum is not the recorded one")
		}
	}
	for _, name := range sortedKeys(got) {
		if want[name] == "" {
			changes = append(changes, name+": no checksum is recorded for it")
		}
	}
	return changes
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// plain reports whether a name leads to a file below a folder, on any system.
func plain(name string) bool {
	return filepath.IsLocal(name) && path.Clean(name) == name && !strings.Contains(name, `\`)
}

// fits reports whether a file of a campaign may have this name.
func fits(name string) bool {
	parts := strings.Split(name, "/")
	if !plain(name) || slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, ".tmp-") }) {
		return false
	}
	switch {
	case len(parts) == 1:
		return slices.Contains([]string{sealedName, campaignName, "benchmarks.toml"}, name)
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

// makeFolders makes a folder below the root, with its parents.
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

package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// Bundle is all that hosts without a network need to measure a plan, except a JDK and moobench: a tar of
// regular files, bundle.json first, then plan.json, artifacts by content, and the built fixtures.
type Bundle struct {
	Format int `json:"format"` // 2
	// JDK is the exact version, or versions, that the bundle was made with; hosts must have the same.
	JDK string `json:"jdk,omitempty"`
	// Artifacts are the files that go into JVMs, and the files of tools that prepare some of them.
	Artifacts []Brought `json:"artifacts,omitempty"`
	// Files are the SHA-256 of all files of the bundle by name, except bundle.json.
	Files map[string]string `json:"files"`
}

// Brought is an artifact in a bundle.
type Brought struct {
	Key  string `json:"key"`  // Maven coordinates, or the path as in the plan
	File string `json:"file"` // name in the bundle
}

// Names in a bundle.
const (
	bundleName  = "bundle.json"
	PlanName    = "plan.json" // in the bundle's folder
	FixturesDir = "fixtures"  // folder of built fixtures
	artifactsIn = "artifacts"
)

var digestFolder = regexp.MustCompile(`^[0-9a-f]{64}$`)

// bundles describes the tars of bundles.
var bundles = kind{"bundle", bundleName, func(name string) bool {
	parts := strings.Split(name, "/")
	switch {
	case !plain(name):
		return false
	case len(parts) == 1:
		return name == bundleName || name == PlanName
	case parts[0] == artifactsIn:
		return len(parts) == 3 && digestFolder.MatchString(parts[1])
	}
	return parts[0] == FixturesDir
}, func(name string) bool { return name == bundleName }}

// Bring adds an artifact, unless one with its key is there; from gets the path of its file by its name in the
// bundle.
func (b *Bundle) Bring(key, file string, from map[string]string) error {
	if slices.ContainsFunc(b.Artifacts, func(x Brought) bool { return x.Key == key }) {
		return nil
	}
	sum, err := digest(context.Background(), file)
	if err != nil {
		return err
	}
	name := path.Join(artifactsIn, sum, filepath.Base(file))
	b.Artifacts = append(b.Artifacts, Brought{key, name})
	from[name] = file
	return nil
}

// mostBrought is the size limit of a file of a bundle in bytes.
const mostBrought = 4 << 30

// digest returns the SHA-256 of a file for the bundle.
func digest(ctx context.Context, file string) (string, error) {
	sum, err := safefile.Digest(ctx, file, mostBrought, safefile.Open)
	if err != nil {
		return "", fmt.Errorf("bringing %s along: %w", file, err)
	}
	return sum, nil
}

// Write writes the bundle, whole or not at all: from has the paths of its files by name.
func (b *Bundle) Write(ctx context.Context, name string, from map[string]string) error {
	b.Format, b.Files = results.Format, map[string]string{}
	slices.SortFunc(b.Artifacts, func(x, y Brought) int { return strings.Compare(x.Key, y.Key) })
	all := []member{{name: bundleName}}
	for _, file := range sortedKeys(from) {
		sum, err := digest(ctx, from[file])
		if err != nil {
			return err
		}
		b.Files[file] = sum
		all = append(all, member{name: file, open: func() (*os.File, error) { return safefile.Open(from[file]) }})
	}
	text, err := json.MarshalIndent(b, "", " ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	all[0].text = append(text, '\n')
	if err := writeTar(ctx, name, all); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// IsBundle reports whether a file starts like a bundle.
func IsBundle(file string) bool {
	f, err := safefile.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(bundleName)+1)
	n, _ := f.Read(head)
	return n == len(head) && string(head) == bundleName+"\x00"
}

// Unbundle unpacks a bundle into a folder below in, or reuses an existing one, and returns the description and
// the folder. In both cases each file is checked against the SHA-256 in bundle.json. The folder is named after
// the SHA-256 of bundle.json, which has the checksums of all other files.
func Unbundle(ctx context.Context, file, in string) (b *Bundle, dir string, err error) {
	fail := func(err error) (*Bundle, string, error) {
		why := fmt.Errorf("unpacking %s: %w", file, err)
		return nil, "", refusal.New(why, "copy it again, or make it again: moobench fetch")
	}
	got, err := bundles.extract(ctx, file, nil)
	if err != nil {
		return fail(err)
	}
	if b, err = got.bundle(file); err != nil {
		return fail(err)
	}
	dir = filepath.Join(in, got.sums[bundleName])
	if b.isIn(ctx, dir) {
		return b, dir, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return fail(err)
	}
	tmp, err := scratch(dir)
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(tmp)
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	if got, err = bundles.extract(ctx, file, root); err == nil {
		_, err = got.bundle(file)
	}
	if err == nil {
		err = publish(tmp, dir)
	}
	if err != nil && !b.isIn(ctx, dir) { // another process may have been faster
		return fail(err)
	}
	return b, dir, nil
}

// bundle checks that a tar holds exactly the files that its bundle.json lists.
func (c *contents) bundle(file string) (*Bundle, error) {
	b := new(Bundle)
	if err := json.Unmarshal(c.kept[bundleName], b); err != nil {
		return nil, fmt.Errorf("%s: %w", bundleName, err)
	}
	if b.Format > results.Format {
		return nil, fmt.Errorf("it has format %d, this moobench reads formats up to %d", b.Format, results.Format)
	}
	got := c.others(bundleName)
	if err := asSealed(file, changesOf(b.Files, got)); err != nil {
		return nil, err
	}
	return b, nil
}

// isIn reports whether a folder holds the bundle's files unchanged.
func (b *Bundle) isIn(ctx context.Context, dir string) bool {
	for name, want := range b.Files {
		got, err := safefile.Digest(ctx, filepath.Join(dir, filepath.FromSlash(name)), mostBrought, safefile.Open)
		if err != nil || got != want {
			return false
		}
	}
	return true
}

// Path returns the path of an artifact in the bundle's folder, "" if it is not in the bundle.
func (b *Bundle) Path(dir, key string) string {
	i := slices.IndexFunc(b.Artifacts, func(x Brought) bool { return x.Key == key })
	if i < 0 || b.Files[b.Artifacts[i].File] == "" {
		return ""
	}
	return filepath.Join(dir, filepath.FromSlash(b.Artifacts[i].File))
}

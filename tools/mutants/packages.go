package main

import (
	"bytes"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// least is how many lines a package has that is worth a draw.
const least = 150

// skipped are folders without product code, and those that nobody copies.
var skipped = []string{"testdata", "target", ".git", "runs", "tools", "bin"}

// pkg is a package with the changes that are left to draw.
type pkg struct {
	folder string
	lines  int
	tests  bool
	left   [kinds][]change
	wanted int
	random *rand.Rand
}

// packagesOf finds the packages of the product, by folder. Those of commands are left out: their tests
// start processes, and are about the whole.
func packagesOf(root string) ([]*pkg, error) {
	found := map[string]*pkg{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		switch {
		case d.IsDir() && (name != root && slices.Contains(skipped, d.Name()) || relative == "internal" ||
			strings.Contains("/"+relative, "/internal/test")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		folder := path.Dir(relative)
		if found[folder] == nil {
			found[folder] = &pkg{folder: folder}
		}
		return found[folder].add(name, relative)
	})
	var all []*pkg
	for _, folder := range slices.Sorted(maps.Keys(found)) {
		if found[folder].lines >= least {
			all = append(all, found[folder])
		}
	}
	return all, err
}

// add takes a file into the package.
func (p *pkg) add(name, relative string) error {
	if strings.HasSuffix(name, "_test.go") {
		p.tests = true
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil || bytes.Contains(text, []byte("\npackage main\n")) || bytes.HasPrefix(text, []byte("package main\n")) {
		return err
	}
	p.lines += bytes.Count(text, []byte("\n"))
	return changesOf(relative, text, &p.left)
}

// draw chooses packages, and says how many changes are wanted of each.
func draw(all []*pkg, o options) []*pkg {
	random := rand.New(rand.NewPCG(o.seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	drawn := all[:min(len(all), max(1, o.packages))]
	for i, p := range drawn {
		p.wanted = o.n / len(drawn)
		if i < o.n%len(drawn) {
			p.wanted++
		}
		h := fnv.New64a()
		h.Write([]byte(p.folder))
		p.random = rand.New(rand.NewPCG(o.seed, h.Sum64()))
	}
	return drawn
}

// next draws another change, all kinds as often; false where there is none left.
func (p *pkg) next() (change, bool) {
	var some []int
	for kind := range p.left {
		if len(p.left[kind]) > 0 {
			some = append(some, kind)
		}
	}
	if len(some) == 0 {
		return change{}, false
	}
	left := &p.left[some[p.random.IntN(len(some))]]
	i := p.random.IntN(len(*left))
	c := (*left)[i]
	*left = slices.Delete(*left, i, i+1)
	return c, true
}

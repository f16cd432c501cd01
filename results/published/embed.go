// Package published holds the figures of papers as they were printed, and the
// campaigns that repeat their experiments. A paper is a folder without code;
// README.md describes its files.
package published

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"moobench/results"
)

// papers are the folders of all papers.
//
//go:embed */*.toml */README.md */*.sql
var papers embed.FS

// Files that every paper has.
const (
	FiguresFile  = "figures.toml"
	CampaignFile = "benchmarks.toml"
)

// Names returns the names of all papers.
func Names() []string {
	found, _ := fs.Glob(papers, "*/"+FiguresFile) // it fails only for a malformed pattern
	return results.Each(found, path.Dir)
}

// Open returns the folder of a paper.
func Open(name string) (fs.FS, error) {
	if _, err := fs.Stat(papers, name+"/"+FiguresFile); err != nil || strings.Contains(name, "/") {
		return nil, fmt.Errorf("there is no paper %q: there are %s", name, strings.Join(Names(), ", "))
	}
	return fs.Sub(papers, name)
}

// Further returns the names of a paper's other campaigns, which go more deeply into its results than the one
// that repeats its experiments; nil without any, or for an unknown paper.
func Further(name string) []string {
	found, _ := fs.Glob(papers, name+"/*.toml") // it fails only for a malformed pattern
	found = slices.DeleteFunc(found, func(file string) bool {
		return path.Base(file) == FiguresFile || path.Base(file) == CampaignFile
	})
	return results.Each(found, func(file string) string { return strings.TrimSuffix(path.Base(file), ".toml") })
}

// FilesOf returns the files of a further campaign, which all bear its name, the campaign itself first.
func FilesOf(name, campaign string) []string {
	found, _ := fs.Glob(papers, name+"/"+campaign+".*") // as above
	files := results.Each(found, path.Base)
	slices.SortStableFunc(files, func(a, b string) int {
		first := map[bool]int{true: -1}
		return first[a == campaign+".toml"] - first[b == campaign+".toml"]
	})
	return files
}

// Package published holds the figures of papers as they were printed, and the
// campaigns that repeat their experiments. A paper is a folder without code;
// README.md describes its files.
package published

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"moobench/results"
)

// papers are the folders of all papers.
//
//go:embed */*.toml */README.md
var papers embed.FS

// The files that make a folder a paper.
const (
	FiguresFile  = "figures.toml"
	CampaignFile = "benchmarks.toml"
)

// Names returns the names of all papers.
func Names() []string {
	found, _ := fs.Glob(papers, "*/"+FiguresFile) // it fails only for a pattern that is none
	return results.Each(found, path.Dir)
}

// Open returns the folder of a paper.
func Open(name string) (fs.FS, error) {
	if _, err := fs.Stat(papers, name+"/"+FiguresFile); err != nil || strings.Contains(name, "/") {
		return nil, fmt.Errorf("there is no paper %q: there are %s", name, strings.Join(Names(), ", "))
	}
	return fs.Sub(papers, name)
}

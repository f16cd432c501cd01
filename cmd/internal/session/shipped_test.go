package session

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"moobench/harness/config"
	"moobench/results/published"
	"moobench/scenarios"
)

// TestShippedCampaignsPlan reads and plans every campaign that ships, as run
// would: a key or a variant that was renamed breaks one.
func TestShippedCampaignsPlan(t *testing.T) {
	lab := &Lab{Scenarios: scenarios.All()}
	for _, path := range shipped(t) {
		session, err := lab.Open(Options{Seed: 1, Seeded: true}, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for _, s := range session.Plan.Campaign.Scenarios {
			if len(s.Questions) == 0 && hasVariants(session.File, s.Label) {
				t.Errorf("%s: scenario %s compares variants, and asks nothing", path, s.Label)
			}
		}
	}
}

func hasVariants(f *config.File, label string) bool {
	for _, s := range f.Scenarios {
		if s.Label == label {
			return len(s.Variants) > 1
		}
	}
	return false
}

// shipped are the campaigns of this project: the first one, the examples, and
// those of papers.
func shipped(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	paths := []string{filepath.Join(root, "benchmarks.toml")}
	err := filepath.WalkDir(filepath.Join(root, "results", "published"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".toml") && filepath.Base(path) != published.FiguresFile {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	examples, globErr := filepath.Glob(filepath.Join(root, "examples", "*.toml"))
	if globErr != nil || len(examples) == 0 {
		t.Errorf("no example ships: %v", globErr)
	}
	paths = append(paths, examples...)
	if len(paths) < 4 {
		t.Errorf("only %d campaigns ship: %q", len(paths), paths)
	}
	return paths
}

package replication

import (
	"io/fs"
	"testing"

	"moobench/results/published"
)

// TestShippedPapers reads every paper: each check comes to what its
// figures.toml says.
func TestShippedPapers(t *testing.T) {
	names := published.Names()
	if len(names) < 2 {
		t.Errorf("only %d papers ship: %q", len(names), names)
	}
	for _, name := range names {
		p := shippedPaper(t, name)
		for _, c := range Alone(p).Checks {
			if c.Wrong != "" {
				t.Errorf("%s: %s: comes to %s (%v): %s", name, c.Name, c.Text, c.Follows, c.Wrong)
			}
		}
	}
}

func shippedPaper(t *testing.T, name string) *Paper {
	t.Helper()
	folder, err := published.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(folder, published.FiguresFile)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

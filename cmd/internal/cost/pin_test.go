package cost

import (
	"bytes"
	"io"
	"maps"
	"os"
	"strings"
	"testing"

	"moobench/harness/config"
	"moobench/results"
)

// TestPin: a file that is saved says afterwards which files were fetched and measured, so that a later
// run measures the same ones. What the file or the catalogue has pinned, and what may change, is left.
func TestPin(t *testing.T) {
	sum := func(digit string) string { return strings.Repeat(digit, 64) }
	for name, c := range map[string]struct {
		agent, against string
		measured       []results.Artifact // in each cell
		want           map[string]string
	}{
		"releases": {
			"org.example:tool:1.0", "org.example:agent:2.0",
			[]results.Artifact{
				{Name: "org.example:tool:1.0", SHA256: sum("1")},
				{Name: "other.jar", SHA256: sum("3")},
				{Name: "org.example:agent:2.0", SHA256: sum("2")},
			},
			map[string]string{"org.example:tool:1.0": sum("1"), "org.example:agent:2.0": sum("2")},
		},
		"what may change": {
			"./agent.jar", "org.example:tool:1.0-SNAPSHOT",
			[]results.Artifact{{SHA256: sum("1")}, {Name: "org.example:tool:1.0-SNAPSHOT", SHA256: sum("2")}},
			nil,
		},
		"what nobody has seen": {
			"org.example:tool:1.0", "",
			[]results.Artifact{{Name: "org.example:tool:1.0"}, {Name: "org.example:tool:1.1", SHA256: sum("1")}},
			nil,
		},
		"one of the catalogue": {
			"kieker/bci/collect", "",
			[]results.Artifact{{Name: "net.kieker-monitoring:kieker:2.0.2:bytebuddy", SHA256: sum("1")}},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			here(t)
			q := asked(c.agent, func(q *Question) { q.Save, q.Against = "mine.toml", c.against })
			s, err := q.Open(lab(io.Discard), dry)
			if err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile("mine.toml")
			if err != nil {
				t.Fatal(err)
			}
			campaign := s.Plan.Campaign
			campaign.Cells = append(campaign.Cells, results.Cell{ID: "c99", Variant: "of another file"})
			for i := range campaign.Cells {
				campaign.Cells[i].Launch.Artifacts = c.measured
			}
			s.Dir = "runs/measured"
			if _, err := results.Create(s.Dir, campaign, before); err != nil {
				t.Fatal(err)
			}
			if err := q.Pin(s); err != nil {
				t.Fatal(err)
			}
			after, err := os.ReadFile("mine.toml")
			if err != nil {
				t.Fatal(err)
			}
			f, err := config.Parse("mine.toml", after, lab(io.Discard).Known())
			if err != nil {
				t.Fatalf("%v\n%s", err, after)
			}
			got := map[string]string{}
			for coordinates, digest := range f.Digests {
				got[coordinates], _ = digest.Raw.(string)
			}
			grown := len(after) > len(before)
			if !maps.Equal(got, c.want) || !bytes.HasPrefix(after, before) || grown != (len(c.want) > 0) {
				t.Errorf("pinned %v, want %v\n%s", got, c.want, after)
			}
		})
	}
}

// TestPinFails: a question that is not saved needs no pins; a campaign or a file that has gone is an error.
func TestPinFails(t *testing.T) {
	here(t)
	q := asked("org.example:tool:1.0", func(q *Question) { q.Save = "mine.toml" })
	s, err := q.Open(lab(io.Discard), dry)
	if err != nil {
		t.Fatal(err)
	}
	s.Dir = "runs/measured"
	if err := q.Pin(s); err == nil {
		t.Error("there is no campaign, and nobody is told")
	}
	if err := (&Question{}).Pin(s); err != nil {
		t.Errorf("there is no file to pin anything in: %v", err)
	}
	if _, err := results.Create(s.Dir, s.Plan.Campaign, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove("mine.toml"); err != nil {
		t.Fatal(err)
	}
	if err := q.Pin(s); err == nil {
		t.Error("the file has gone, and nobody is told")
	}
}

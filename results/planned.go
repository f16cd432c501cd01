package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"

	"moobench/results/safefile"
)

// Planned is the file of a plan that is carried out elsewhere, whole or in shards.
type Planned struct {
	Format int `json:"format"` // 2
	// Moobench is the build that made the plan: other builds may plan differently.
	Moobench string `json:"moobench"`
	// TOML is the text of the benchmarks.toml, and Origin its path; relative paths in it are relative to its
	// folder. A relative Origin is relative to the folder of the plan.
	TOML   string `json:"toml"`
	Origin string `json:"origin"`
	// Campaign is the planned campaign, with its seed and all its blocks.
	Campaign *Campaign `json:"campaign"`
}

// Write writes a plan, whole or not at all.
func (p *Planned) Write(path string) error {
	p.Format = Format
	data, err := marshal(path, p)
	if err != nil {
		return err
	}
	return diskError("writing", path, safefile.Replace(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}))
}

// ReadPlan reads the file of a plan.
func ReadPlan(path string) (*Planned, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	p := &Planned{Campaign: new(Campaign)}
	if err := decodeJSON(path, data, p); err != nil {
		return nil, err
	}
	if p.TOML == "" || len(p.Campaign.Blocks) == 0 || p.Campaign.PlanHash == "" {
		return nil, &Error{
			problemOther, "reading", path, errors.New("it is not a plan"),
			"write one with: moobench plan benchmarks.toml -o plan.json",
		}
	}
	if err := p.Campaign.check(); err != nil {
		return nil, damaged(path, err)
	}
	if !filepath.IsAbs(p.Origin) {
		p.Origin = filepath.Join(filepath.Dir(path), p.Origin)
	}
	return p, nil
}

// IsPlan reports whether a file is a JSON object, as a plan is and a benchmarks.toml isn't.
func IsPlan(path string) bool {
	data, err := readFile(path)
	return err == nil && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) && json.Valid(data)
}

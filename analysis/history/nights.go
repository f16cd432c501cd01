package history

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/results"
)

// Origin is what a campaign does not say of itself.
type Origin struct {
	Commit string // of what was measured; "" is not known
	Folder string // name of the campaign's folder, without where it lies
	// Artifacts are the files that went into each cell, by its ID, where more is
	// known of them than the plan says; a cell that is not in it has those of the
	// plan.
	Artifacts map[string][]results.Artifact
}

// Nights are the rows of a campaign: one of each pinned metric of each cell that
// has a value. The reference against itself is no row.
func Nights(a *analysis.Answers, pinned []analysis.Pinned, o Origin) []Night {
	c := campaign{Answers: a, cells: map[string]*analysis.Cell{}, scenarios: map[string]*analysis.Scenario{}}
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		for j := range s.Cells {
			c.cells[s.Cells[j].ID], c.scenarios[s.Cells[j].ID] = &s.Cells[j], s
		}
	}
	var nights []Night
	for _, p := range pinned {
		if n, ok := c.night(p); ok {
			n.Commit, n.Folder = o.Commit, o.Folder
			if known, ok := o.Artifacts[p.Cell]; ok {
				n.Artifacts = known
			}
			nights = append(nights, n)
		}
	}
	return nights
}

// campaign finds the cells of one campaign's answers by their ID.
type campaign struct {
	*analysis.Answers
	cells     map[string]*analysis.Cell
	scenarios map[string]*analysis.Scenario
}

// night is the row of one pinned metric; not ok when it has no value.
func (c *campaign) night(p analysis.Pinned) (n Night, ok bool) {
	cell, reference := c.cells[p.Cell], c.cells[p.Reference]
	if cell == nil || reference == nil || cell == reference || p.Log == nil || p.Value == nil || p.ReferenceValue == nil {
		return Night{}, false
	}
	var se, df float64
	if p.Log.SE != nil {
		se, df = *p.Log.SE, *p.Log.DF
	}
	n = Night{
		Key: Key{
			Campaign: c.Campaign.Name, Scenario: p.Scenario, Cell: p.Label, Metric: p.Metric.Name,
			Reference: reference.Variant, Machine: c.of(p, machineOf), Runtime: c.of(p, runtimeOf),
		},
		ID: c.id(), When: c.Campaign.Created, Plan: c.plan(p), Tool: c.Campaign.Versions["moobench"],
		Unit: p.Metric.Unit, Better: p.Metric.Better, AA: p.Role == results.RoleAA,
		Log: p.Log.Value, SE: se, DF: df, N: p.Log.N, Raw: p.Value.Value, ReferenceRaw: p.ReferenceValue.Value,
		Artifacts: cell.Launch.Artifacts, Marks: c.marks(cell, reference),
	}
	if c.Campaign.Start != nil {
		n.When = *c.Campaign.Start
	}
	n.When = n.When.UTC()
	return n, n.check() == nil
}

// id names the night: the time at which the campaign was made, and the begin of a
// hash of what tells it from others of the same minute.
func (c *campaign) id() string {
	made := c.Campaign.Created.UTC()
	return made.Format("2006-01-02T1504Z") + "-" + digest(c.Campaign.Name, made, c.Campaign.Seed, c.Campaign.PlanHash)[:8]
}

// plan is the hash of what the subject is asked to do and how it is measured:
// scenario, metric, parameters, fixture, and the machine's settings that were
// asked for. Seed and number of blocks are not in it, and neither is what may
// change from commit to commit: the variants' own files and options.
func (c *campaign) plan(p analysis.Pinned) string {
	cell, s := c.cells[p.Cell], c.scenarios[p.Cell]
	var settings []string
	if control := c.Campaign.Control; control != nil {
		settings = append(settings, control.Profile)
		for _, w := range control.Wishes {
			settings = append(settings, w.Name+"="+w.Wanted)
		}
	}
	slices.Sort(settings)
	parameters := slices.Concat(s.Common, cell.Factors)
	slices.SortFunc(parameters, func(a, b results.Value) int { return strings.Compare(a.Name, b.Name) })
	m := p.Metric
	return digest(s.Use, s.WindowKind, m.Name, m.Unit, m.Series, m.Column, m.Profile,
		parameters, cell.Launch.Fixture, cell.Launch.Target, settings)[:16]
}

// digest is a hash of values as JSON.
func digest(values ...any) string {
	text, err := json.Marshal(values)
	if err != nil {
		return strings.Repeat("0", sha256.Size*2) // unreachable: all of them are plain values
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func machineOf(i *analysis.Invocation) string { return i.Machine }
func runtimeOf(i *analysis.Invocation) string { return i.Runtime }

// of is what the invocations of a cell and its reference say, of the metric's
// profile; where they differ, all of it.
func (c *campaign) of(p analysis.Pinned, say func(*analysis.Invocation) string) string {
	var said []string
	for i := range c.Invocations {
		inv := &c.Invocations[i]
		if (inv.Cell == p.Cell || inv.Cell == p.Reference) && inv.Profile == p.Metric.Profile && inv.Status == results.StatusOK {
			if text := say(inv); text != "" && !slices.Contains(said, text) {
				said = append(said, text)
			}
		}
	}
	slices.Sort(said)
	return strings.Join(said, "+")
}

// marks are what spoils the value of a cell.
func (c *campaign) marks(cell, reference *analysis.Cell) []string {
	var marks []string
	for i := range c.Scenarios {
		for _, aa := range c.Scenarios[i].AA {
			if aa.State == analysis.AAFailed && !slices.Contains(marks, MarkAAFailed) {
				marks = append(marks, MarkAAFailed)
			}
		}
	}
	if cell.Void != "" || reference.Void != "" {
		marks = append(marks, MarkVoid)
	}
	for _, m := range cell.Marks {
		marks = append(marks, m.Show)
	}
	for _, m := range reference.Marks {
		marks = append(marks, reference.Variant+": "+m.Show)
	}
	return marks
}

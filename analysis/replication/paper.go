package replication

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"moobench/results"
)

// maxBytes is more than any paper's figures need.
const maxBytes = 1 << 20

// Paper is a valid figures.toml.
type Paper struct {
	Title  string    `toml:"title"`
	Source string    `toml:"source"` // the citation
	Tables []Table   `toml:"table"`
	Drawn  []Figure  `toml:"figure"`
	Checks []Check   `toml:"check"`
	Claims []Claim   `toml:"claim"`
	Short  []Shorter `toml:"shorten"`
}

// Table is one printed table, or the columns of it that share a unit.
type Table struct {
	ID     string `toml:"id" json:"id"` // its name in checks and claims
	Title  string `toml:"title" json:"title"`
	Source string `toml:"source" json:"source"` // its place, and the system measured
	Unit   string `toml:"unit" json:"unit"`     // us, ms, …, or 1
	Note   string `toml:"note" json:"note,omitempty"`
	// Scenario and Metric select our figures beside it: "" for Scenario means none, "" for Metric the primary
	// one.
	Scenario string `toml:"scenario" json:"-"`
	Metric   string `toml:"metric" json:"-"`
	// Take selects the samples of ours to pool: takeHalf, takeAll, takeLost.
	Take    string   `toml:"take" json:"-"`
	Columns []Column `toml:"column" json:"-"`
}

// Figure is a printed picture without readable numbers: ours replaces it.
type Figure struct {
	ID     string `toml:"id" json:"id"`
	Title  string `toml:"title" json:"title"`
	Source string `toml:"source" json:"source"` // its place, and the system measured
	Note   string `toml:"note" json:"note,omitempty"`
	// Scenario is the label of ours; Shows is the kind of picture to draw of it.
	Scenario string `toml:"scenario" json:"-"`
	Shows    string `toml:"shows" json:"-"`
	// Metric belongs to ShowsGrowth; "" means every metric with a growth.
	Metric string `toml:"metric" json:"-"`
}

// The kinds of pictures.
const (
	ShowsCalls  = "calls"  // distribution of the calls, changes or requests
	ShowsCourse = "course" // over time: the calls of an invocation, or latencies while a load is held
	ShowsGrowth = "growth" // means against a factor
	ShowsLost   = "lost"   // rates of lost transactions
)

// Samples of our campaign that go through a paper's arithmetic.
const (
	takeHalf = "half" // every sample of the second half of every invocation
	takeAll  = "all"  // every sample of every invocation
	// takeLost is one value for each invocation i: S L_i / S_i, for L_i lost of S_i requests, ramp included. S
	// is the sum of S_i over the cell's invocations.
	takeLost = "lost"
)

// Column is one measured quantity, with its printed figures.
type Column struct {
	ID      string `toml:"id" json:"id"`
	Title   string `toml:"title" json:"title"`
	Variant string `toml:"variant" json:"variant,omitempty"` // of ours that does the same; "": none
	// Scenario and Metric of ours override those of the table.
	Scenario string `toml:"scenario" json:"-"`
	Metric   string `toml:"metric" json:"-"`
	// Printed are the figures: mean, ci95 (half-width), median, max, min, sd, n. A column with only a variant
	// has no printed figures: it stands beside those that do.
	Printed map[string]Number `toml:"figures" json:"printed"`
	Doubts  map[string]string `toml:"doubts" json:"doubts,omitempty"` // by figure
}

// Statistics are the figures that a column may have, in print order.
func Statistics() []string { return []string{"mean", "ci95", "median", "max", "min", "sd", "n"} }

// Shorter is a parameter that a shortened campaign reduces.
type Shorter struct {
	Scenario  string `toml:"scenario"` // label; "": every scenario that has it
	Parameter string `toml:"parameter"`
	Least     string `toml:"least"` // as written in benchmarks.toml
}

// shortens reports whether a shortened campaign reduces a parameter in a scenario; "": any parameter but
// blocks.
func (p *Paper) shortens(scenario, parameter string) bool {
	return slices.ContainsFunc(p.Short, func(s Shorter) bool {
		return (s.Scenario == "" || s.Scenario == scenario) && s.Parameter != "blocks" &&
			(parameter == "" || s.Parameter == parameter)
	})
}

// Parse reads a figures.toml. It reports all mistakes at once; name is only for messages.
func Parse(name string, text []byte) (*Paper, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("reading %s: %d bytes are too many for the figures of a paper", name, len(text))
	}
	p := &Paper{}
	meta, err := toml.Decode(string(text), p)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	wrong := results.Each(meta.Undecoded(), func(key toml.Key) string { return fmt.Sprintf("unknown key %q", key) })
	if wrong = append(wrong, p.mistakes()...); len(wrong) > 0 {
		return nil, fmt.Errorf("reading %s: %w", name, errors.New(strings.Join(wrong, "\n")))
	}
	return p, nil
}

// mistakes are the mistakes that the TOML reader can't see.
func (p *Paper) mistakes() []string {
	var m mistakes
	m.want(p.Title != "", "the paper has no title")
	m.want(p.Source != "", "the paper has no source")
	m.want(len(p.Tables)+len(p.Claims) > 0, "the paper has no [[table]] and no [[claim]]")
	seen := map[string]bool{}
	for _, t := range p.Tables {
		m.table(t, seen)
	}
	for _, f := range p.Drawn {
		m.want(f.ID != "" && f.Title != "" && f.Source != "" && f.Scenario != "",
			"figure %q needs an id, a title, a source and a scenario", f.ID)
		m.want(f.Metric == "" || f.Shows == ShowsGrowth, "figure %q: a metric is of growth", f.ID)
		m.want(slices.Contains(kindsOfPictures(), f.Shows), "figure %q: unknown shows %q: there are %s",
			f.ID, f.Shows, strings.Join(kindsOfPictures(), ", "))
	}
	for _, s := range p.Short {
		_, err := parseAmount(s.Least)
		m.want(s.Parameter != "" && err == nil,
			"shorten %q: it takes a parameter, and as least a whole number or a time, not %q", s.Parameter, s.Least)
	}
	for i := range p.Checks {
		m.check(p, &p.Checks[i])
	}
	for i := range p.Claims {
		m.claim(p, &p.Claims[i])
	}
	return m
}

func kindsOfPictures() []string { return []string{ShowsCalls, ShowsCourse, ShowsGrowth, ShowsLost} }

type mistakes []string

// want notes a mistake unless ok is true.
func (m *mistakes) want(ok bool, format string, args ...any) bool {
	if !ok {
		*m = append(*m, fmt.Sprintf(format, args...))
	}
	return ok
}

func (m *mistakes) table(t Table, seen map[string]bool) {
	m.want(t.ID != "" && !strings.ContainsAny(t.ID, "/ "), "table %q: its id must be a word without /", t.ID)
	m.want(t.Title != "" && t.Source != "", "table %q needs a title and a source", t.ID)
	_, ok := unitNS(t.Unit)
	m.want(ok, "table %q: unknown unit %q: there are ns, us, ms, s and 1", t.ID, t.Unit)
	m.want(slices.Contains([]string{"", takeHalf, takeAll, takeLost}, t.Take),
		"table %q: unknown take %q: there are half, all and lost", t.ID, t.Take)
	m.want((t.Scenario == "") == (t.Take == ""), "table %q: scenario and take go together", t.ID)
	m.want(len(t.Columns) > 0, "table %q has no [[table.column]]", t.ID)
	for _, c := range t.Columns {
		place := t.ID + "/" + c.ID
		m.want(c.ID != "" && !strings.ContainsAny(c.ID, "/. "), "column %q: its id must be a word without / and dots",
			place)
		m.want(!seen[place], "column %q stands here twice", place)
		seen[place] = true
		m.want(c.Variant == "" || t.Scenario != "", "column %q: a variant needs the table's scenario", place)
		m.want(c.Variant != "" || c.Scenario+c.Metric == "", "column %q: a scenario or a metric needs a variant", place)
		m.want(len(c.Printed) > 0 || c.Variant != "", "column %q has neither figures nor a variant", place)
		for _, name := range slices.Sorted(maps.Keys(c.Printed)) {
			f := c.Printed[name]
			m.want(slices.Contains(Statistics(), name), "column %q: unknown figure %q: there are %s",
				place, name, strings.Join(Statistics(), ", "))
			m.want(name != "n" || f.decimals == 0 && f.value >= 1, "column %q: n = %s is not a number of samples",
				place, f.Text)
			m.want(name != "sd" && name != "ci95" || f.value >= 0, "column %q: %s = %s is below 0", place, name, f.Text)
		}
		for _, name := range slices.Sorted(maps.Keys(c.Doubts)) {
			_, ok := c.Printed[name]
			m.want(ok && c.Doubts[name] != "", "column %q: a doubt about %q, which it does not have", place, name)
		}
	}
}

// unitNS is the length of a unit in ns; 1 for a bare number.
func unitNS(unit string) (float64, bool) {
	ns, ok := map[string]float64{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "1": 1}[unit]
	return ns, ok
}

// column finds table/column.
func (p *Paper) column(place string) *Column {
	table, id, _ := strings.Cut(place, "/")
	for i := range p.Tables {
		for j := range p.Tables[i].Columns {
			if c := &p.Tables[i].Columns[j]; p.Tables[i].ID == table && c.ID == id {
				return c
			}
		}
	}
	return nil
}

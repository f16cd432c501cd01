package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/infer"
	"moobench/results"
)

// Pinned is a metric of a cell against that of a reference cell which was
// measured in the same blocks, so that the machine's drift cancels.
type Pinned struct {
	Scenario  string         `json:"scenario"`  // label
	Cell      string         `json:"cell"`      // ID
	Label     string         `json:"label"`     // of the cell, with its factor level
	Role      results.Role   `json:"role"`      // variant, baseline or aa: never that of a proof
	Reference string         `json:"reference"` // ID of the reference cell of the same factor level
	Metric    results.Metric `json:"metric"`
	// Log is the mean of the paired logarithms log(cell/reference), with its SD
	// between blocks and its 95 % interval. It is nil when Absent says why.
	Log *Estimate `json:"log,omitempty"`
	// Value and ReferenceValue are the means themselves, in the metric's unit.
	Value          *Estimate `json:"value,omitempty"`
	ReferenceValue *Estimate `json:"reference_value,omitempty"`
	// Absent says why there is no Log: no pairs, void, not positive.
	Absent string `json:"absent,omitempty"`
}

// Pin sets the primary metric and the key metrics of each cell against those of
// the cell of the reference variant at the same factor level, scenario by
// scenario. The reference may be a beginning of a variant's name that fits no
// other (kieker/bci); "" is each cell's own baseline. The error is of a
// reference that no scenario has, or of a campaign that nothing can be said
// about; what can't be read is left out, as in Analyse, which names it.
func Pin(src Source, reference string) ([]Pinned, error) {
	c := src.Campaign()
	if c == nil {
		return nil, errors.New("pinning to a reference: there is no campaign")
	}
	variant, err := variantNamed(c, reference)
	if err != nil {
		return nil, fmt.Errorf("pinning to a reference: %w", err)
	}
	_, readers, err := analyse(src)
	if err != nil {
		return nil, err
	}
	all := []Pinned{}
	for _, r := range readers {
		all = append(all, r.pinAll(variant)...)
	}
	return all, nil
}

// variantNamed is the full name of a variant of the campaign; "" stays "".
func variantNamed(c *results.Campaign, name string) (string, error) {
	var known, fits []string
	for _, cell := range c.Cells {
		if cell.Role == results.RoleProof || slices.Contains(known, cell.Variant) {
			continue
		}
		known = append(known, cell.Variant)
		if strings.HasPrefix(cell.Variant, name+"/") {
			fits = append(fits, cell.Variant)
		}
	}
	switch {
	case name == "" || slices.Contains(known, name):
		return name, nil
	case len(fits) == 1:
		return fits[0], nil
	case len(fits) > 1:
		return "", fmt.Errorf("%q is not one variant: %s", name, strings.Join(fits, ", "))
	}
	return "", fmt.Errorf("the campaign has no variant %q; it has: %s", name, strings.Join(known, ", "))
}

// pinAll pins the cells of the scenario.
func (r *reader) pinAll(variant string) []Pinned {
	primary, references := r.primary(), r.references(variant)
	var all []Pinned
	for _, c := range r.cells() {
		for _, m := range r.scenario.Metrics {
			if !m.Key && m.Name != primary.Name {
				continue
			}
			p := Pinned{Scenario: r.scenario.Label, Cell: c.ID, Label: c.Label(), Role: c.Role, Metric: m, Value: r.mean(c, m)}
			if ref := references[c.Level()]; ref == nil {
				p.Absent = noReference(variant)
			} else {
				r.pin(&p, c, ref)
			}
			all = append(all, p)
		}
	}
	return all
}

func noReference(variant string) string {
	if variant == "" {
		return "there is no baseline at its factor level"
	}
	return "there is no " + variant + " at its factor level"
}

// references are the cells of a variant by factor level; of "" the baselines.
func (r *reader) references(variant string) map[string]*results.Cell {
	found := map[string]*results.Cell{}
	for _, c := range r.cells() {
		if c.Role != results.RoleAA && (c.Variant == variant || variant == "" && c.Role == results.RoleBaseline) {
			found[c.Level()] = c
		}
	}
	return found
}

// mean of a metric over the invocations of a cell; nil when there is none.
func (r *reader) mean(c *results.Cell, m results.Metric) *Estimate {
	if r.void[c.ID] != "" || m.Of != "" || profile(m) == results.ProfileCalibration {
		return nil
	}
	e, _ := meanOf(numbers(r.values(c.ID, m)))
	return e
}

// pin fills in what the blocks that hold both cells say.
func (r *reader) pin(p *Pinned, c, ref *results.Cell) {
	p.Reference, p.ReferenceValue = ref.ID, r.mean(ref, p.Metric)
	s, why := r.logRatio(c, ref, p.Metric)
	if why == "" {
		p.Log, why = s.Estimate(confidence)
	}
	p.Absent = why
}

// logRatio is the logarithm of the ratio of two cells in a metric, over the
// blocks that hold both; why says why there is none. The spread of a sized
// scenario's primary metric is that of its pilot.
func (r *reader) logRatio(c, ref *results.Cell, m results.Metric) (s scale, why string) {
	switch {
	case c.ID == ref.ID:
		return s, "it is the reference itself"
	case r.unordered():
		return s, unorderedPairs
	case m.Of != "":
		return s, countsAreRates
	case profile(m) == results.ProfileCalibration:
		return s, "it is found before the measurement: there are no pairs"
	}
	for _, cell := range []*results.Cell{c, ref} {
		if why := r.without(cell, m); why != "" {
			return s, cell.Label() + ": " + why
		}
	}
	if why := r.apart(c, ref); why != "" {
		return s, why
	}
	x, y := r.values(c.ID, m), r.values(ref.ID, m)
	if len(pairs(x, y)) == 0 {
		return s, "no block holds both it and its reference"
	}
	of := r.ask(infer.Question{Alpha: alpha}, x, y, r.sized(m))
	return of.L, of.NoRatio
}

// without says why a cell has no value of a metric; "" when it has one.
func (r *reader) without(c *results.Cell, m results.Metric) string {
	if why := r.void[c.ID]; why != "" {
		return why
	}
	if len(r.values(c.ID, m)) > 0 {
		return ""
	}
	if why := r.allVoid(c.ID, profile(m)); why != "" {
		return why
	}
	return "no invocation observed it"
}

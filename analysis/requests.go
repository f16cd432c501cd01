package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/results"
)

// Stratum describes the requests of one label in a cell, or of all labels that are not combined.
type Stratum struct {
	// Label is the requests' label; "rest" for those that are not combined.
	Label string `json:"label"`
	// Combined says that the label is part of the cell's mean, in which all have the same weight.
	Combined bool `json:"combined"`
	// Labels is the number of labels of the rest.
	Labels   int     `json:"labels,omitempty"`
	Requests int64   `json:"requests"` // sent, whatever came of them
	Share    float64 `json:"share"`    // of all requests of the cell
	// Mean is the mean of right answers, over invocations, in the primary metric's unit.
	Mean *Estimate `json:"mean,omitempty"`
	// Difference is cell minus baseline.
	Difference   *Estimate `json:"difference,omitempty"`
	NoDifference string    `json:"no_difference,omitempty"` // why there is no difference
	// Quantiles are quantiles of right answers: medians over invocations.
	Quantiles []Quantile `json:"quantiles,omitempty"`
}

// rest is the stratum of the labels that are not combined.
const rest = "rest"

// population returns the population of a cell whose requests are compared label by label; nil if they have one
// label.
func (r *reader) population(c *results.Cell) *evidence.Population {
	if r.Primary.Sample() != results.SampleRequest || r.Invalid[c.ID] != "" {
		return nil
	}
	return r.PopulationOf(c.ID)
}

// strata are the requests of a cell by label; none if they have one label.
func (r *reader) strata(c *results.Cell) (all []Stratum) {
	p := r.population(c)
	if p == nil {
		return nil
	}
	for _, label := range p.Labels {
		s := r.stratum(c, label, label)
		s.Combined = true
		all = append(all, s)
	}
	if len(p.Rest) > 0 {
		s := r.stratum(c, rest, p.Rest...)
		s.Labels = len(p.Rest)
		all = append(all, s)
	}
	return all
}

// atMix is the cost of a cell's requests beyond its baseline's, with labels weighted by their number of
// requests in the baseline; nil if nothing is compared label by label.
func (r *reader) atMix(c *results.Cell) *Estimate {
	p, m := r.population(c), r.Primary
	if p == nil || c.Baseline == "" || len(p.Labels) == 0 || r.NoTimes(c.ID, c.Baseline, m) != "" {
		return nil
	}
	weights := map[string]float64{}
	for _, label := range p.Labels {
		n, _ := r.Sent(c.Baseline, label)
		weights[label] = float64(n)
	}
	return r.Ask(infer.Question{Alpha: reading.Alpha}, r.MixedValues(c.ID, m, weights),
		r.MixedValues(c.Baseline, m, weights), 0).Difference
}

// stratum describes some labels of a cell.
func (r *reader) stratum(c *results.Cell, name string, labels ...string) Stratum {
	m := r.Primary
	s := Stratum{Label: name}
	sent, all := r.Sent(c.ID, labels...)
	s.Requests = sent
	if all > 0 {
		s.Share = float64(sent) / float64(all)
	}
	vs := r.LabelValues(c.ID, m, labels...)
	s.Mean, _ = infer.MeanOf(reading.SampleOf(vs), reading.Confidence, !r.Unordered())
	if c.Baseline != "" {
		if s.NoDifference = r.NoTimes(c.ID, c.Baseline, m); s.NoDifference == "" {
			x := r.Ask(infer.Question{Alpha: reading.Alpha}, vs, r.LabelValues(c.Baseline, m, labels...), 0)
			s.Difference, s.NoDifference = x.Difference, x.NoDifference
		}
	}
	if len(labels) > 1 {
		return s
	}
	for i, q := range evidence.Quantiles {
		vs := r.LabelQuantiles(c.ID, m, labels[0], i)
		if e, _ := infer.MedianOf(reading.SampleOf(vs), reading.Confidence); e != nil {
			s.Quantiles = append(s.Quantiles, Quantile{
				Name:         q.Name,
				P:            q.P,
				Estimate:     *e,
				NoDifference: s.NoDifference,
				Values:       vs,
			})
		}
	}
	return s
}

// mixMost is the difference in the share of a label from which it is mentioned.
const mixMost = 0.02

// mix says how the shares of labels differ between a cell and its baseline; "" if they don't.
func (r *reader) mix(c *results.Cell) string {
	p := r.PopulationOf(c.ID)
	if p == nil || c.Baseline == "" {
		return ""
	}
	most, text := 0.0, ""
	for _, label := range slices.Concat(p.Labels, p.Rest) {
		with, all := r.Sent(c.ID, label)
		without, base := r.Sent(c.Baseline, label)
		if all == 0 || base == 0 {
			continue
		}
		x, y := float64(with)/float64(all), float64(without)/float64(base)
		if off := math.Abs(x - y); off > most && off >= mixMost {
			most = off
			text = fmt.Sprintf("%s %s without, %s with",
				figure.Level(math.Round(100*y)/100), label, figure.Level(math.Round(100*x)/100))
		}
	}
	return text
}

// Kinds of caveats about lost requests.
const (
	markLost         = "lost requests"
	markBaselineLost = "baseline lost requests"
)

// lostText says how losses affect times.
const lostText = "they got no right answer, and their times are in no number: " +
	"the requests that are left are no random sample, so with more than 1 % lost nothing is compared"

// requestMarks are the caveats about lost requests, and about the mix of labels.
func (r *reader) requestMarks(c *Cell) (ms caveat.List) {
	if r.Primary.Sample() != results.SampleRequest {
		return nil
	}
	if text := r.LossText(c.ID); text != "" {
		ms.Add(true, caveat.Remark, markLost, "lost "+text, "%s", lostText)
	}
	baseline := r.Campaign.Cell(c.Baseline)
	if baseline == nil {
		return ms
	}
	if text := r.LossText(baseline.ID); text != "" {
		ms.Add(true, caveat.Remark, markBaselineLost, "the baseline lost "+text, "%s, which it is compared with: %s",
			baseline.Label(), lostText)
	}
	mix := r.mix(r.Campaign.Cell(c.ID))
	ms.Add(mix != "", caveat.Remark, "mix", "mix differs: "+mix, "%s", "the mix differs: "+mix+"; "+
		"each label is compared with itself, and all weigh alike, so the mean does not depend on the mix")
	return ms
}

// requestNotes says which requests the times cover.
func (r *reader) requestNotes() []string {
	if r.Primary.Sample() != results.SampleRequest {
		return nil
	}
	name := prose.Spaced(r.Primary.Name)
	notes := []string{name + " is of right answers, late ones too; requests without one are counted as lost"}
	if r.Unordered() {
		var all []*evidence.Invocation
		for _, c := range r.Cells {
			all = append(all, r.Primaries(c.ID)...)
		}
		if text, n := warned(all); n > 0 {
			notes = append(notes, "what was read: "+text)
		}
	}
	for _, c := range r.Cells {
		p := r.PopulationOf(c.ID)
		if p == nil {
			continue
		}
		if len(p.Labels) > 0 {
			text := fmt.Sprintf("%s is the mean of %s, weighted alike (%s)", name,
				figure.Plural(len(p.Labels), "label", "labels"), prose.First(p.Labels, named, ", ", " and %s more"))
			text += prose.If(len(p.Rest) > 0, "; not among them: %s, with fewer than 20 right answers in some run",
				prose.First(p.Rest, named, ", ", " and %s more"))
			notes = append(notes, text+"; quantiles are of each label")
		}
		break
	}
	for _, c := range r.Cells {
		if r.mix(c) == "" {
			continue
		}
		if atMix := r.atMix(c); atMix != nil {
			by := figure.Quantity(atMix.Value, r.Primary.Unit)
			if atMix.Interval != nil {
				by += " (" + figure.Range(atMix.Interval.Low, atMix.Interval.High, r.Primary.Unit) + ")"
			}
			notes = append(notes, fmt.Sprintf(
				"%s: at the mix of the baseline, in which labels weigh as often as they were asked for, it adds %s",
				c.Label(), strings.TrimSpace(by)))
		}
	}
	return notes
}

package analysis

import (
	"reflect"

	"moobench/analysis/chapter"
	"moobench/analysis/chapter/breakeven"
	"moobench/analysis/chapter/contrasts"
	"moobench/analysis/chapter/course"
	"moobench/analysis/chapter/distribution"
	"moobench/analysis/chapter/growth"
	"moobench/analysis/chapter/lanes"
	"moobench/analysis/chapter/modes"
	"moobench/analysis/chapter/records"
	"moobench/analysis/chapter/repeats"
	"moobench/analysis/chapter/saturation"
	"moobench/analysis/chapter/settling"
	"moobench/analysis/chapter/sizing"
	"moobench/analysis/chapter/timelines"
	"moobench/analysis/reading"
	"moobench/results"
)

// Chapter is an entry in the table of chapters.
type Chapter struct {
	// Name is the chapter's key in the JSON.
	Name     string
	find     func(*reader, *Scenario) // nil: the cells have it already
	of       func(*Scenario) chapter.Value
	answered bool // it is found after the answers, because it compares them
}

// Chapters returns the table of all chapters, in the order in which they are found.
func Chapters() []Chapter {
	return []Chapter{
		{
			Name: "sizing",
			find: func(r *reader, s *Scenario) { s.Sizing = sizing.Of(r.Reading, s.measured(r.Reading)) },
			of:   func(s *Scenario) chapter.Value { return s.Sizing },
		},
		entry("lanes", lanes.Of, func(s *Scenario) **lanes.Lanes { return &s.Lanes }),
		entry("saturations", saturation.Of, func(s *Scenario) *saturation.Curves { return &s.Saturations }),
		entry("timelines", timelines.Of, func(s *Scenario) *timelines.Loads { return &s.Loads }),
		entry("modes", modes.Of, func(s *Scenario) **modes.Modes { return &s.modes }),
		entry("contrasts", contrasts.Of, func(s *Scenario) *contrasts.Parts { return &s.Parts }),
		{
			Name: "distributions",
			find: func(r *reader, s *Scenario) {
				for i, c := range r.Cells {
					s.Cells[i].Distribution, s.Cells[i].NoDistribution = distribution.Of(r.Reading, c)
				}
			},
			of: func(s *Scenario) chapter.Value { return s.distributions() },
		},
		{
			Name: "records",
			of:   func(s *Scenario) chapter.Value { return s.outcomes() },
		},
		{
			Name: "settling",
			find: func(r *reader, s *Scenario) { s.pilot = settling.Of(s.Settling, r.pilots) },
			of:   func(s *Scenario) chapter.Value { return s.pilot },
		},
		entry("growths", growth.Of, func(s *Scenario) *growth.Lines { return &s.Growths }),
		{
			Name: "repeats",
			find: func(r *reader, s *Scenario) {
				if without := repeats.Without(r.Reading); without != nil {
					s.Repeats = repeats.Of(r.Reading, r.compareWithout(&reader{Reading: without}, s))
				}
			},
			of:       func(s *Scenario) chapter.Value { return s.Repeats },
			answered: true,
		},
		entry("course", course.Of, nil),
	}
}

// campaignChapter is a chapter about a campaign as a whole.
type campaignChapter struct {
	find func([]*reading.Reading, *Answers) // nil: the campaign has it with its provenance
	of   func(*Answers) chapter.Value
}

// campaignChapters returns the table of the chapters about a campaign as a whole.
func campaignChapters() []campaignChapter {
	return []campaignChapter{
		{of: func(a *Answers) chapter.Value { return &a.Campaign.Fleet }},
		{
			func(all []*reading.Reading, a *Answers) { a.BreakEvens = breakeven.Of(all) },
			func(a *Answers) chapter.Value { return a.BreakEvens },
		},
	}
}

// Overall returns what the chapters about the campaign as a whole found.
func (a *Answers) Overall() []chapter.Value {
	return results.Each(campaignChapters(), func(c campaignChapter) chapter.Value { return c.of(a) })
}

// entry makes a chapter of a package. Its value has a field of its own in Scenario; without one (nil) it is stored in
// Scenario.Chapters, so that a new chapter needs its package and this line. A zero value says that the scenario has
// nothing of the kind.
func entry[T chapter.Value](name string, of func(*reading.Reading) T, field func(*Scenario) *T) Chapter {
	if field != nil {
		return Chapter{
			Name: name,
			find: func(r *reader, s *Scenario) { *field(s) = of(r.Reading) },
			of:   func(s *Scenario) chapter.Value { return *field(s) },
		}
	}
	return Chapter{
		Name: name,
		find: func(r *reader, s *Scenario) {
			v := of(r.Reading)
			if reflect.ValueOf(v).IsZero() {
				return
			}
			if s.Chapters == nil {
				s.Chapters = map[string]chapter.Value{}
			}
			s.Chapters[name] = v
		},
		of: func(s *Scenario) chapter.Value { return s.Chapters[name] },
	}
}

// measured are the variants with a mean, and a difference with an interval, in the primary metric.
func (s *Scenario) measured(r *reading.Reading) []sizing.Measured {
	var all []sizing.Measured
	for i, c := range r.Cells {
		m := s.Cells[i].MetricNamed(s.Primary)
		if c.Role != results.RoleVariant || m == nil || m.Mean == nil || m.Mean.Value <= 0 ||
			m.Difference == nil || m.Difference.Interval == nil {
			continue
		}
		all = append(all, sizing.Measured{Cell: c, Mean: m.Mean.Value, Half: m.Difference.Interval.Half()})
	}
	return all
}

// distributions lists the distributions of valid cells.
func (s *Scenario) distributions() distribution.Cells {
	var all distribution.Cells
	for _, c := range s.Cells {
		if c.Distribution != nil && c.Invalid == "" {
			all = append(all, distribution.Cell{ID: c.ID, Distribution: c.Distribution})
		}
	}
	return all
}

// outcomes lists the outcomes of records by the ID of the cell.
func (s *Scenario) outcomes() records.Outcomes {
	all := records.Outcomes{}
	for _, c := range s.Cells {
		all[c.ID] = c.Outcome
	}
	return all
}

// chapters adds what chapters find before or after the questions are answered, with their notes and caveats.
func (r *reader) chapters(s *Scenario, answered bool) {
	for _, c := range Chapters() {
		if c.answered != answered {
			continue
		}
		if c.find != nil {
			c.find(r, s)
		}
		m, ok := c.Of(s).(chapter.Marked)
		if !ok {
			continue
		}
		s.Notes = append(s.Notes, m.Notes()...)
		marks := m.Marks()
		for i := range s.Cells {
			s.Cells[i].Marks = append(s.Cells[i].Marks, marks[s.Cells[i].ID]...)
		}
	}
}

// Of returns what the chapter found in a scenario; nil for nothing.
func (c *Chapter) Of(s *Scenario) chapter.Value { return c.of(s) }

// Scene returns the scenario for its chapters, of which id is the ID of the section.
func (s *Scenario) Scene(id string, paged bool) *chapter.Scene {
	at := &chapter.Scene{
		ID: id, Paged: paged, Scenario: s.Label, Primary: s.Primary, Metrics: s.Metrics, Common: s.Common,
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		at.Cells = append(at.Cells, chapter.Cell{Key: s.key(c), Factors: c.Factors, Marks: c.Marks})
	}
	return at
}

package analysis

import (
	"reflect"

	"moobench/analysis/chapter"
	"moobench/analysis/chapter/contrasts"
	"moobench/analysis/chapter/growth"
	"moobench/analysis/chapter/saturation"
	"moobench/analysis/chapter/timelines"
	"moobench/analysis/reading"
)

// Chapter is an entry in the table of chapters.
type Chapter struct {
	// Name is the chapter's key in the JSON.
	Name string
	find func(*reading.Reading, *Scenario)
	of   func(*Scenario) chapter.Value
}

// Chapters returns the table of all chapters, in the order in which they are found.
func Chapters() []Chapter {
	return []Chapter{
		entry("saturations", saturation.Of, func(s *Scenario) *saturation.Curves { return &s.Saturations }),
		entry("timelines", timelines.Of, func(s *Scenario) *timelines.Loads { return &s.Loads }),
		entry("contrasts", contrasts.Of, func(s *Scenario) *contrasts.Parts { return &s.Parts }),
		entry("growths", growth.Of, func(s *Scenario) *growth.Lines { return &s.Growths }),
	}
}

// entry is a chapter whose value has a field of its own, or, without one (nil), is one of Scenario.Chapters: a new
// chapter needs its package and this line. A zero value says that the scenario has nothing of the kind.
func entry[T chapter.Value](name string, of func(*reading.Reading) T, field func(*Scenario) *T) Chapter {
	if field != nil {
		return Chapter{
			Name: name,
			find: func(r *reading.Reading, s *Scenario) { *field(s) = of(r) },
			of:   func(s *Scenario) chapter.Value { return *field(s) },
		}
	}
	return Chapter{
		Name: name,
		find: func(r *reading.Reading, s *Scenario) {
			v := of(r)
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

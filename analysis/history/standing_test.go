package history

import "testing"

func TestStanding(t *testing.T) {
	s := Series{Nights: make([]Night, 20), Segments: []Segment{{First: 0, Last: 11}, {First: 12, Last: 19, Mean: 0.1}}}
	s.Changes = []Change{
		{State: StateDetected, Night: 4, Worse: true},
		{State: StateDetected, Night: 8},
		{State: StateConfirmed, Night: 6, Worse: true, Over: "it went back"},
		{State: StateAccepted, Night: 12, Worse: true},
	}
	if c := s.Standing(); c != &s.Changes[0] {
		t.Errorf("the standing change is %+v", c)
	}
	s.Changes[0].State = StateRefuted
	if c := s.Standing(); c != &s.Changes[0] {
		t.Errorf("the standing change is %+v", c)
	}
	s.Changes = s.Changes[1:3]
	if c := s.Standing(); c != nil {
		t.Errorf("the standing change is %+v, and that is over", c)
	}
}

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

// What may be real and holds can be accepted; without a night it is the standing
// change, else the one that began in it.
func TestToAccept(t *testing.T) {
	s := Series{Segments: []Segment{{First: 0, Last: 19}}}
	for i := range 20 {
		s.Nights = append(s.Nights, made(key(cell), i, 0.1))
	}
	s.Changes = []Change{
		{State: StateDetected, Night: 4, Worse: true},
		{State: StateConfirmed, Night: 8, Worse: true, Over: "it went back"},
		{State: StateRefuted, Night: 10, Worse: true},
		{State: StateAccepted, Night: 12, Worse: true},
		{State: StateConfirmed, Night: 14, Worse: true},
	}
	if all := s.Acceptable(); len(all) != 2 || all[0] != &s.Changes[0] || all[1] != &s.Changes[4] {
		t.Errorf("acceptable are %+v", all)
	}
	for night, want := range map[string]*Change{
		"": &s.Changes[4], nightID(4): &s.Changes[0], s.Nights[4].Commit: &s.Changes[0], "2026-01-19": &s.Changes[4], nightID(8): nil, nightID(10): nil, nightID(12): nil, nightID(5): nil,
	} {
		if got := s.ToAccept(night); got != want {
			t.Errorf("night %q: %+v, want %+v", night, got, want)
		}
	}
	s.Changes = s.Changes[:3]
	s.Changes[0].State = StateRefuted
	if got := s.ToAccept(""); got != nil {
		t.Errorf("the standing change is refuted, and %+v can be accepted", got)
	}
}

func TestCalled(t *testing.T) {
	n := made(key(cell), 0, 0)
	n.ID, n.Commit = "2026-01-05T0300Z-0a1b2c3d", "abc00000"
	for name, want := range map[string]bool{
		"2026-01-05T0300Z-0a1b2c3d": true, "2026-01-05": true, "abc0": true, "abc00000": true,
		"abc": false, "": false, "2026-01-02": false, "abc00001": false,
	} {
		if got := n.called(name); got != want {
			t.Errorf("%q is the night: %v, want %v", name, got, want)
		}
	}
}

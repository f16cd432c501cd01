package session

import (
	"testing"

	"moobench/harness/config"
	"moobench/results"
)

// TestSeed: a campaign goes on with its own; then the flag counts, then the file, then
// the lab.
func TestSeed(t *testing.T) {
	lab, file := uint64(3), uint64(2)
	s := &Session{
		Options: Options{Seed: 1, Seeded: true},
		File:    &config.File{Seed: &file},
		lab:     &Lab{Seed: func() uint64 { return lab }},
	}
	if got := s.seed(&results.Campaign{Seed: 4}); got != 4 {
		t.Errorf("of a resumed campaign: %d", got)
	}
	if got := s.seed(nil); got != 1 {
		t.Errorf("of the flag: %d", got)
	}
	s.Seeded = false
	if got := s.seed(nil); got != 2 {
		t.Errorf("of the file: %d", got)
	}
	s.File.Seed = nil
	if got := s.seed(nil); got != 3 {
		t.Errorf("of the lab: %d", got)
	}
}

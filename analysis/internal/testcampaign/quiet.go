package testcampaign

import (
	"fmt"

	"moobench/results"
)

// Repeated is a campaign on a dedicated machine, disturbed by another program: the disturbed
// invocations were repeated.
func Repeated() *Store {
	s := Make(Plan{
		Seed: 5, Blocks: 12, Resources: 2, Samples: 500, Repeat: true,
		Cells: append(
			Baselines(),
			Variant(2, "kieker/bci/tcp", count("kieker-tcp")),
			Variant(3, "probe/bci/collect", count("fixture")),
		),
		Behaves: []Behaviour{
			{Mean: 561, Disturbed: []int{6}, Slower: 0.02},
			{Mean: 561},
			{Mean: 2072, Arrives: 1, Disturbed: []int{5, 6, 10, 11}, Slower: 0.02},
			{Mean: 901, Arrives: 1, Disturbed: []int{5}, Slower: 0.02},
		},
	})
	s.quieten()
	return s
}

// OwnDoing is a campaign in which only one variant is disturbed, repeatedly: the disturbance may be
// its own child process.
func OwnDoing() *Store {
	s := Make(Plan{
		Seed: 6, Blocks: 20, Samples: 500, Repeat: true,
		Cells: append(
			Baselines(),
			Variant(2, "kieker/bci/tcp", count("kieker-tcp")),
			Variant(3, "probe/bci/collect", count("fixture")),
		),
		Behaves: []Behaviour{
			{Mean: 561},
			{Mean: 561},
			{Mean: 2072, Arrives: 1, Disturbed: []int{2, 5, 9, 14, 17}, Slower: 0.02},
			{Mean: 901, Arrives: 1},
		},
	})
	s.quieten()
	return s
}

// quieten gives the host quiet settings, in two sessions, and its invocations the settings read
// back.
func (s *Store) quieten() {
	latest, earlier := *s.Hosts[0], *s.Hosts[0]
	knobs := func(governor string) []results.KnobState {
		return []results.KnobState{
			{
				Name: "smt", Found: "on", Wanted: "off", Got: "on",
				Policy: results.PolicyTry, Reason: "not supported here",
			},
			{Name: "turbo", Found: "on", Wanted: "off", Got: "off", Policy: results.PolicyTry},
			{Name: "governor", Found: "schedutil", Wanted: "performance", Got: governor, Policy: results.PolicyTry},
			{Name: "aslr", Found: "on", Wanted: "on", Got: "on", Policy: results.PolicyTry},
			{
				Name: "energy_preference", Wanted: "performance",
				Policy: results.PolicyTry, Reason: "no file of that name",
			},
			{Name: "clocksource", Found: "tsc", Policy: results.PolicyObserve},
		}
	}
	latest.Knobs, earlier.Knobs = knobs("performance"), knobs("schedutil")
	latest.Facts, earlier.Facts = map[string]string{"microcode": "0x2b"}, map[string]string{"microcode": "0x2a"}
	s.Hosts = []*results.Machine{&latest, &earlier}
	for _, inv := range s.Runs {
		inv.Settings = map[string]string{"governor": "performance", "turbo": "off", "smt": "on"}
		if inv.Disturbed != nil && inv.Block == 11 {
			inv.Settings["governor"] = "powersave"
			inv.Disturbed = &results.Disturbance{
				Reason: "governor was changed from performance to powersave", Knobs: []string{"governor"},
			}
		}
		if inv.Disturbed != nil {
			inv.Warnings = []string{inv.Disturbed.Reason}
		}
		if inv.Block%5 == 0 && inv.Cell == "c02" && inv.Profile == results.ProfileTiming {
			inv.Warnings = append(inv.Warnings, fmt.Sprintf("the measured CPUs were throttled %d times", inv.Block))
		}
	}
}

// Factored is a campaign with environment factors: frequency scaling, the JDK, and the number of
// CPUs.
func Factored() *Store {
	var cells []results.Cell
	var behaves []Behaviour
	for _, cpus := range []string{"1", "2"} {
		for i, frequency := range []string{"scaling", "fixed"} {
			for j, jdk := range []string{"17.0.15+6", "21.0.7+6"} {
				mean := 561 * (1 - 0.2*float64(i)) * (1 - 0.05*float64(j))
				none := len(cells)
				cells = append(append(cells, Baselines()...), Variant(0, "probe/bci/collect", count("fixture")))
				for k := range cells[none:] {
					c := &cells[none+k]
					c.ID = fmt.Sprintf("c%02d", none+k)
					if c.Baseline != "" {
						c.Baseline = fmt.Sprintf("c%02d", none)
					}
					c.Factors = []results.Value{
						{Name: "cpus", Value: cpus, Unit: "CPUs"},
						{Name: "frequency", Value: frequency},
						{Name: "jdk", Value: jdk},
					}
					c.Parameters = append(c.Parameters, c.Factors...)
				}
				without, with := Behaviour{Mean: mean}, Behaviour{Mean: 1.6 * mean, Arrives: 1}
				behaves = append(behaves, without, without, with)
			}
		}
	}
	s := Make(Plan{Seed: 8, Blocks: 6, Samples: 400, Cells: cells, Behaves: behaves})
	for _, inv := range s.Runs {
		c := s.Made.Cell(inv.Cell)
		inv.Runtime, inv.CPUs = c.Factor("jdk"), map[string]string{"1": "3", "2": "2-3"}[c.Factor("cpus")]
		governor := map[string]string{"scaling": "schedutil", "fixed": "performance"}[c.Factor("frequency")]
		inv.Settings = map[string]string{"governor": governor}
	}
	sc := &s.Made.Scenarios[0]
	sc.Questions = append(
		sc.Questions,
		results.Question{
			ID: "rq1", Text: "Does a fixed frequency make monitoring cheaper?", Metric: "duration",
			A: "c08", B: "c02", Asked: true,
		},
		results.Question{
			ID: "rq2", Text: "Does a second CPU make monitoring cheaper?", Metric: "duration",
			A: "c14", B: "c02", Asked: true,
		},
	)
	return s
}

package results

// Step is one of the things that a monitored execution passes through.
type Step struct {
	Name string // as in Cell.Path
	// Part is the part of the cost that the step belongs to: I (is the probe
	// active?), C (collect the record) or W (write or send it). The parts are those
	// of Flaig 2014 and Waller 2014.
	Part  string
	About string // "asking whether the probe is switched on"
}

// Steps are all steps, in the order in which an execution passes through them.
func Steps() []Step {
	return []Step{
		{"enabled", "I", "asking whether monitoring is on at all"},
		{"check", "I", "asking whether the probe is switched on"},
		{"switch", "I", "asking the method's own switch"},
		{"list", "I", "looking up whether the method is on the list of what is monitored"},
		{"collect", "C", "collecting the record"},
		{"write", "W", "writing or sending the record"},
	}
}

// Ways in which probes get into and out of a running program; see Cell.Change.
const (
	// ChangeSwitched: the probe is compiled in, and asks at each execution
	// whether it is active.
	ChangeSwitched = "switched"
	// ChangeSwapped: the running class is exchanged for one with the probe, or
	// without.
	ChangeSwapped = "swapped"
)

package plan

import (
	"fmt"
	"time"

	"moobench/harness/config"
	"moobench/results"
)

// quietWait is how long profile "fixed-hardware" waits for quiet at most, unless the file
// says otherwise.
const quietWait = 2 * time.Minute

// controlOf is what [machine] asks for, or nil. The wishes are those of the file: what
// the profile adds is up to those who know the knobs.
func controlOf(m config.Machine) *results.Control {
	c := &results.Control{Profile: m.Profile, Wishes: m.Knobs, Repeat: m.Profile == results.ProfileFixedHardware}
	switch {
	case m.WaitUntilQuiet != nil:
		c.QuietNS = int64(*m.WaitUntilQuiet)
	case c.Repeat:
		c.QuietNS = int64(quietWait)
	case m.Host == "" && m.PinPolicy == "" && len(m.Knobs) == 0:
		return nil
	}
	return c
}

// machineLine is [machine] as a line of the plan.
func (p *Plan) machineLine() string {
	m := p.file.Machine
	line := fmt.Sprintf("machine: profile %s, wait_until_quiet %s%s%s", m.Profile, time.Duration(p.Campaign.Control.QuietNS),
		also(m.Host != "", ", host %q", m.Host), also(m.PinPolicy != "", ", pin cpus %q, housekeeping %q, %s", m.CPUs, m.Housekeeping, m.PinPolicy))
	for _, k := range m.Knobs {
		line += ", " + k.Name + also(k.Wanted != "", " %q", k.Wanted) + " " + string(k.Policy)
	}
	return line
}

package doctor

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/cmd/internal/demand"
	"moobench/harness/machine/knob"
	"moobench/refusal"
	"moobench/results"
)

// setting is a knob's state, with the value wanted by the file or else by profile fixed-hardware.
type setting struct {
	knob.State
	about knob.Knob
}

// advised is the policy of settings that the file does not name: their Wanted is the value of
// profile fixed-hardware.
const advised = results.PolicyObserve

// cure returns the reason why a setting can't be had, and what to do about it.
func (s setting) cure() (why, do string) {
	if s.Why == nil {
		return "", ""
	}
	return s.Why.Error(), refusal.Do(s.Why)
}

// notable reports whether a knob is mentioned although nobody asked for it. Knobs of the subject's
// own process without a harmful value are not.
func (s setting) notable() bool { return !s.about.Personal() || s.about.Harmful != "" }

// advice returns the findings about all knobs; knobs with the same advice share one.
func (e *examination) advice() []Finding {
	s := groups{examination: e}
	for _, k := range e.settings {
		s.sort(k)
	}
	willBe := together(s.willBe, " · ", Finding{State: fine, Topic: "set by run", Text: "; put back at the end"})
	noNeed := together(s.good, " · ", Finding{State: fine, Topic: "no need"})
	return slices.Concat(s.required, e.factors(), s.unmet, willBe, s.better, s.summary(), s.unseen(),
		s.unsettable(), noNeed)
}

// together returns one finding that lists several settings before its text; none without settings.
func together(settings []string, separator string, f Finding) []Finding {
	if len(settings) == 0 {
		return nil
	}
	f.Text = strings.Join(settings, separator) + f.Text
	return []Finding{f}
}

// groups collects settings by the finding they lead to.
type groups struct {
	*examination
	required []Finding // required by the file, and can't be had
	unmet    []Finding // tried by the file, and can't be had
	willBe   []string  // the file sets them
	better   []Finding // could be better
	profile  int       // number of settings in better that the profile sets
	asRoot   bool      // some of these need root
	stuck    []setting // could be better, but can't be set here
	unknown  []setting // can't be read here
	good     []string  // already right, or make no difference
}

func (s *groups) sort(k setting) {
	inFile := k.Policy != advised
	stands := k.Found != "" && (k.Found == k.Wanted || k.Wanted == "" && k.Found != k.about.Harmful)
	named := s.File != nil && slices.ContainsFunc(s.File.Machine.Knobs, func(own results.KnobState) bool {
		return own.Name == k.Name
	})
	switch {
	case stands: // nothing to do
		if k.Wanted != "" || k.notable() {
			s.good = append(s.good, k.Name+" "+k.Found)
		}
	case inFile && k.Why == nil:
		s.willBe = append(s.willBe, k.Name+" "+cmp.Or(k.Found, "unknown")+" → "+k.Wanted)
	case named && inFile: // it can't be set here
		why, do := k.cure()
		if k.Policy == results.PolicyRequire {
			s.required = append(s.required, Finding{
				State: lacks, Topic: k.Name, Required: true,
				Text: fmt.Sprintf("%s requires %s, it is %s: %s",
					s.File.Path, k.Wanted, cmp.Or(k.Found, "unknown"), why),
				Do: strings.TrimPrefix(do+`; or go on without: policy = "try"`, "; or "),
			})
			break
		}
		text := fmt.Sprintf("%s is not available: %s; %s", k.Wanted, why, k.about.Cost)
		s.unmet = append(s.unmet, Finding{
			State: note, Topic: k.Name, Text: text,
			Do: cmp.Or(do, "nothing to do: the run says so, and goes on"),
		})
	case k.Found == "":
		s.unknown = append(s.unknown, k)
	case k.Wanted == "":
		s.better = append(s.better, Finding{State: note, Topic: k.Name, Text: k.about.Cost, Do: k.about.Cure})
	case k.Why == nil || refusal.NeedOf(k.Why) == refusal.Root:
		f := Finding{
			State: note, Topic: k.Name, Text: k.Found + ": " + k.about.Cost,
			Do: fmt.Sprintf("%s = %q", k.Name, k.about.Fixed),
		}
		if k.Why != nil {
			f.Do += ", as root"
			s.asRoot = true
		}
		s.better = append(s.better, f)
		s.profile++
	default:
		s.stuck = append(s.stuck, k)
	}
}

// summary returns the finding that says how to set everything that could be better.
func (s *groups) summary() []Finding {
	if s.profile == 0 {
		return nil
	}
	do := `[machine] profile = "fixed-hardware" sets them for each run, and puts them back`
	if s.asRoot {
		do += "; run it as root"
	}
	text := figure.Plural(s.profile, "setting", "settings") +
		" could be better, on a machine that does nothing else meanwhile"
	return []Finding{{State: note, Topic: "all of them", Text: text, Do: do}}
}

// factors returns a finding for the first level of each of the factors frequency and cpus that
// can't be had. These are required: measured at another frequency, a cell is a different cell.
func (e *examination) factors() []Finding {
	var frequencies, cpus []string
	if e.File != nil {
		for _, s := range e.File.Scenarios {
			frequencies = append(frequencies, s.Parameters[results.FactorFrequency]...)
			cpus = append(cpus, s.Parameters[results.FactorCPUs]...)
		}
	}
	var all []Finding
	for _, level := range frequencies {
		for _, k := range demand.Unmet(e.Tree, e.placement, level) {
			why, do := setting{State: k}.cure()
			all = append(all, Finding{
				State: lacks, Topic: results.FactorFrequency, Required: true,
				Text: fmt.Sprintf("%s measures at frequency = %q, which wants %s %s: %s",
					e.File.Path, level, k.Name, k.Wanted, why),
				Do: cmp.Or(do, "take the factor out, or measure where it can be set"),
			})
		}
	}
	all = all[:min(1, len(all))]
	for _, level := range cpus {
		n, err := strconv.Atoi(level)
		if err == nil {
			_, err = e.placement.Take(n)
		}
		if err != nil {
			return append(all, Finding{
				State: lacks, Topic: results.FactorCPUs, Required: true, Text: e.File.Path + ": " + err.Error(),
				Do: "ask for fewer, or measure where there are more",
			})
		}
	}
	return all
}

// unseen returns the findings about unreadable knobs, in as few lines as possible. If the kernel
// shows none of the knobs for CPU frequency and sleep states, they share one.
func (s *groups) unseen() []Finding {
	var all []Finding
	var hidden []string
	var rest []setting
	for _, k := range s.unknown {
		if slices.ContainsFunc(s.unknown, func(chief setting) bool { return chief.Name == k.about.Chief }) {
			hidden = append(hidden, k.Name)
		} else {
			rest = append(rest, k)
		}
	}
	if len(hidden) > 1 {
		why := "decided by the firmware, can't be read or set here"
		do := "let the operating system control it, in the firmware's setup"
		if s.host.Facts["virtualisation"] != "" {
			why, do = "decided by the host of this virtual machine, can't be read or set here", "dedicated hardware"
		} else if s.host.Facts["container"] != "" {
			why, do = "can't be read in this container", "measure on the host itself"
		}
		all = together(hidden, ", ", Finding{State: note, Topic: "frequency", Text: ": " + why, Do: do})
	} else {
		rest = s.unknown
	}
	var names []string
	for _, k := range rest {
		if why, do := k.cure(); do != "" {
			all = append(all, Finding{State: note, Topic: k.Name, Text: why + ": " + k.about.Cost, Do: do})
		} else if k.notable() {
			names = append(names, k.Name)
		}
	}
	unseen := Finding{
		State: fine, Topic: "not here",
		Text: ": the kernel has none, or does not show it; recorded as unknown",
	}
	return append(all, together(names, ", ", unseen)...)
}

// unsettable returns the findings about knobs that could be better but can't be set here; those
// that only the host may write share one.
func (s *groups) unsettable() []Finding {
	var all []Finding
	var theirs []string
	for _, k := range s.stuck {
		if refusal.NeedOf(k.Why) == refusal.Host {
			theirs = append(theirs, fmt.Sprintf("%s %s (%s)", k.Name, k.Found, k.about.Cost))
			continue
		}
		why, do := k.cure()
		all = append(all, Finding{
			State: note, Topic: k.Name, Text: k.Found + ": " + k.about.Cost,
			Do: cmp.Or(do, "can't be set here: "+why),
		})
	}
	return append(all, together(theirs, ", ", Finding{
		State: note, Topic: "read-only", Text: ": only the host can change them",
		Do: "measure on the host itself, or in a container that may write there (--privileged)",
	})...)
}

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/results"
)

// advised is the policy in checkup.Knobs of those that the file does not name:
// their Wanted is what profile fixed-hardware would set.
const advised = results.PolicyObserve

// wished are all knobs: as found, and what the file or else good advice wants.
func (d *examination) wished() []results.KnobState {
	knobs := d.host.Knobs
	set := func(s results.KnobState) {
		for i := range knobs {
			if knobs[i].Name == s.Name {
				knobs[i].Wanted, knobs[i].Policy, knobs[i].Reason = s.Wanted, s.Policy, s.Reason
			}
		}
	}
	for _, s := range machine.CanMeet(d.t.tree, d.placement, machine.Wishes(results.ProfileFixedHardware, nil)) {
		s.Policy = advised
		set(s)
	}
	for _, s := range machine.CanMeet(d.t.tree, d.placement, wishesOf(d.section())) {
		set(s)
	}
	return knobs
}

// settings says of each knob whether something is to be done, those that share
// an answer together.
func (d *examination) settings() []finding {
	s := sorted{examination: d}
	for _, k := range d.knobs {
		s.sort(k)
	}
	all := slices.Concat(s.required, d.factors(), s.unmet)
	if len(s.willBe) > 0 {
		all = append(all, finding{State: fine, Topic: "set by run", Text: strings.Join(s.willBe, " · ") + "; put back at the end"})
	}
	all = append(all, s.better...)
	all = append(all, s.summary()...)
	all = append(all, s.unseen()...)
	all = append(all, s.unsettable()...)
	if len(s.good) > 0 {
		all = append(all, finding{State: fine, Topic: "no need", Text: strings.Join(s.good, " · ")})
	}
	return all
}

// sorted are knobs by what there is to say of them.
type sorted struct {
	*examination
	required []finding           // required by the file, and can't be had
	unmet    []finding           // tried by the file, and can't be had
	willBe   []string            // the file has them set
	better   []finding           // could be set
	asRoot   bool                // some of these need root
	stuck    []results.KnobState // could be better, and can't be set here
	unknown  []results.KnobState // can't be read here
	good     []string            // stand as they should, or make no difference
}

func (s *sorted) sort(k results.KnobState) {
	asked := k.Policy != advised
	named := s.file != nil && slices.ContainsFunc(s.file.Machine.Knobs, func(own results.KnobState) bool { return own.Name == k.Name })
	switch {
	case stands(k):
		if k.Wanted != "" || !isPersonal(k.Name) || k.Name == "aslr" { // else it is what every process gets
			s.good = append(s.good, k.Name+" "+k.Found)
		}
	case asked && k.Reason == "":
		s.willBe = append(s.willBe, k.Name+" "+cmp.Or(k.Found, "unknown")+" → "+k.Wanted)
	case named && asked:
		s.refused(k)
	case k.Found == "":
		s.unknown = append(s.unknown, k)
	case k.Reason == "" || needsRoot(k):
		s.improve(k)
	default:
		s.stuck = append(s.stuck, k)
	}
}

// stands reports that nothing has to be done about a knob.
func stands(k results.KnobState) bool {
	switch {
	case k.Found == "":
		return false
	case k.Wanted == "":
		return k.Name != "aslr" || k.Found != "off"
	}
	return k.Found == k.Wanted || k.Name == "smt" && strings.HasPrefix(k.Found, "not ")
}

func isPersonal(name string) bool {
	k, _ := machine.KnobNamed(name)
	_, ok := k.(machine.Personal)
	return ok
}

func aboutOf(name string) machine.About {
	if k, ok := machine.KnobNamed(name); ok {
		return k.About()
	}
	return machine.About{}
}

// refused is about a knob that the file names, and that can't be set here.
func (s *sorted) refused(k results.KnobState) {
	why, do := cure(k.Reason)
	if k.Policy == results.PolicyRequire {
		f := finding{State: lacks, Topic: k.Name, Required: true, Do: `go on without: policy = "try"`}
		f.Text = fmt.Sprintf("%s requires %s, it is %s: %s", s.file.Path, k.Wanted, cmp.Or(k.Found, "unknown"), why)
		if do != "" {
			f.Do = do + "; or " + f.Do
		}
		s.required = append(s.required, f)
		return
	}
	s.unmet = append(s.unmet, finding{
		State: note, Topic: k.Name, Text: fmt.Sprintf("%s can't be had: %s; %s", k.Wanted, why, aboutOf(k.Name).Cost),
		Do: cmp.Or(do, "nothing to do: the run says so, and goes on"),
	})
}

// cure splits a reason into what is in the way and what to do about it.
func cure(reason string) (why, do string) {
	for _, verb := range []string{"run", "boot", "start", "write", "name", "remove"} {
		if why, do, ok := strings.Cut(reason, ": "+verb+" "); ok {
			return why, verb + " " + do
		}
	}
	return reason, ""
}

func needsRoot(k results.KnobState) bool { return strings.HasPrefix(k.Reason, "it needs root") }

// improve is about a knob that could be set.
func (s *sorted) improve(k results.KnobState) {
	about := aboutOf(k.Name)
	f := finding{State: note, Topic: k.Name, Text: k.Found + ": " + about.Cost, Do: fmt.Sprintf("%s = %q", k.Name, about.Fixed)}
	switch {
	case k.Wanted == "": // address space randomisation, which no profile touches
		f.Text, f.Do = about.Cost, "echo 2 | sudo tee /proc/sys/kernel/randomize_va_space"
	case needsRoot(k):
		f.Do += ", as root"
		s.asRoot = true
	}
	s.better = append(s.better, f)
}

// summary is how all that could be better comes about.
func (s *sorted) summary() []finding {
	n := len(slices.DeleteFunc(slices.Clone(s.better), func(f finding) bool { return f.Topic == "aslr" }))
	if n == 0 {
		return nil
	}
	do := `[machine] profile = "fixed-hardware" sets them for each run, and puts them back`
	if s.asRoot {
		do += "; run it as root"
	}
	return []finding{{State: note, Topic: "all of them", Text: figure.Plural(n, "setting", "settings") + " could be better, on a machine that does nothing else meanwhile", Do: do}}
}

// factors is about levels of the factors frequency and cpus that can't be had,
// the first of each: a cell without its frequency is another cell.
func (d *examination) factors() []finding {
	var all []finding
	for _, level := range d.levels(plan.FactorFrequency) {
		for _, k := range unmetBy(d.t.tree, d.placement, level) {
			why, do := cure(k.Reason)
			all = append(all, finding{
				State: lacks, Topic: plan.FactorFrequency, Required: true,
				Text: fmt.Sprintf("%s measures at frequency = %q, which wants %s %s: %s", d.file.Path, level, k.Name, k.Wanted, why),
				Do:   cmp.Or(do, "take the factor out, or measure where it can be set"),
			})
		}
	}
	all = all[:min(1, len(all))]
	for _, level := range d.levels(plan.FactorCPUs) {
		n, err := strconv.Atoi(level)
		if err == nil {
			_, err = d.placement.Take(n)
		}
		if err != nil {
			return append(all, finding{State: lacks, Topic: plan.FactorCPUs, Required: true, Text: d.file.Path + ": " + err.Error(), Do: "ask for fewer, or measure where there are more"})
		}
	}
	return all
}

// levels are those of a factor of the environment, in all scenarios.
func (d *examination) levels(factor string) []string {
	var all []string
	if d.file != nil {
		for _, s := range d.file.Scenarios {
			all = append(all, s.Environment[factor]...)
		}
	}
	return all
}

// unseen is about what can't be read, in as few lines as tell all of it.
func (s *sorted) unseen() []finding {
	var all []finding
	rest := s.unknown
	if names, others := s.hidden(); len(names) > 1 {
		rest = others
		f := finding{State: note, Topic: "frequency", Text: strings.Join(names, ", ") + ": "}
		switch {
		case s.host.Facts["virtualisation"] != "":
			f.Text += "decided by the host of this virtual machine, not to be seen or set here"
			f.Do = "dedicated hardware"
		case s.host.Facts["container"] != "":
			f.Text += "not to be seen in this container"
			f.Do = "measure on the host itself"
		default:
			f.Text += "decided by the firmware, not to be seen or set here"
			f.Do = "let the operating system control it, in the firmware's setup"
		}
		all = append(all, f)
	}
	var names []string
	for _, k := range rest {
		if why, do := cure(k.Reason); do != "" {
			all = append(all, finding{State: note, Topic: k.Name, Text: why + ": " + aboutOf(k.Name).Cost, Do: do})
		} else if !isPersonal(k.Name) || k.Name == "aslr" {
			names = append(names, k.Name)
		}
	}
	if len(names) > 0 {
		all = append(all, finding{State: fine, Topic: "not here", Text: strings.Join(names, ", ") + ": the kernel has none, or does not show it; recorded as unknown"})
	}
	return all
}

// hidden are those that decide how fast a CPU runs and how deep it sleeps, where
// the kernel shows nothing of it; others are what else is unknown.
func (s *sorted) hidden() (names []string, others []results.KnobState) {
	family := map[string]string{
		"turbo": "governor", "governor": "governor", "energy_preference": "governor", "max_frequency": "governor", "min_frequency": "governor",
		"cstates": "cstates", "dma_latency": "cstates",
	}
	for _, k := range s.unknown {
		chief := family[k.Name]
		if slices.ContainsFunc(s.unknown, func(k results.KnobState) bool { return k.Name == chief }) {
			names = append(names, k.Name)
		} else {
			others = append(others, k)
		}
	}
	return names, others
}

// unsettable is about what could be better and can't be set here, those that
// only somebody else may write together.
func (s *sorted) unsettable() []finding {
	var all []finding
	var theirs []string
	for _, k := range s.stuck {
		cost := aboutOf(k.Name).Cost
		if strings.Contains(k.Reason, "only the host can") {
			theirs = append(theirs, fmt.Sprintf("%s %s (%s)", k.Name, k.Found, cost))
			continue
		}
		why, do := cure(k.Reason)
		all = append(all, finding{State: note, Topic: k.Name, Text: k.Found + ": " + cost, Do: cmp.Or(do, "can't be set here: "+why)})
	}
	if len(theirs) > 0 {
		all = append(all, finding{
			State: note, Topic: "read-only", Text: strings.Join(theirs, ", ") + ": only the host can change them",
			Do: "measure on the host itself, or in a container that may write there (--privileged)",
		})
	}
	return all
}

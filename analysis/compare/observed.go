package compare

import (
	"cmp"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/results"
)

// observed is how the invocations of a cell were made.
type observed struct {
	runtimes, cpus []string
	// options are those of the JVM itself, by profile: what sizes the heap or
	// chooses a collector, say. What the variant brought is not among them, since
	// that is what may be compared.
	options map[results.Profile]string
}

// observe looks at the invocations that gave numbers, by cell ID.
func observe(a *analysis.Answers) map[string]observed {
	own := map[string][]string{} // by cell ID
	for _, s := range a.Scenarios {
		for _, c := range s.Cells {
			own[c.ID] = c.Launch.JVMArgs
		}
	}
	all := map[string]observed{}
	for _, inv := range a.Invocations {
		measured := inv.Profile == results.ProfileTiming || inv.Profile == results.ProfileResources
		if inv.Status != results.StatusOK || !measured {
			continue
		}
		o, known := all[inv.Cell]
		if !known {
			o.options = map[results.Profile]string{}
		}
		o.runtimes, o.cpus = insert(o.runtimes, inv.Runtime), insert(o.cpus, inv.CPUs)
		if _, known := o.options[inv.Profile]; !known && len(inv.Command) > 0 {
			var options []string // without paths: these differ from folder to folder
			for _, arg := range inv.Command {
				if strings.HasPrefix(arg, "-X") && !strings.Contains(arg, "/") && !slices.Contains(own[inv.Cell], arg) {
					options = append(options, arg)
				}
			}
			o.options[inv.Profile] = cmp.Or(strings.Join(options, " "), none)
		}
		all[inv.Cell] = o
	}
	return all
}

// insert adds a text to a sorted list, once.
func insert(list []string, text string) []string {
	if i, found := slices.BinarySearch(list, text); text != "" && !found {
		return slices.Insert(list, i, text)
	}
	return list
}

// machines name what a campaign was measured on.
func machines(a *analysis.Answers) []string {
	names := map[string]string{}
	for _, m := range a.Machines { // the latest state of each comes first
		if names[m.ID] == "" {
			names[m.ID] = strings.TrimSpace(m.Host+" "+m.CPU) + " (" + m.ID + ")"
		}
	}
	var all []string
	for _, id := range machineIDs(a) {
		if names[id] == "" {
			names[id] = id
		}
		all = append(all, names[id])
	}
	return all
}

// machineIDs are what makes two machines the same, sorted.
func machineIDs(a *analysis.Answers) []string {
	var ids []string
	for _, m := range a.Machines {
		ids = insert(ids, m.ID)
	}
	for _, inv := range a.Invocations {
		ids = insert(ids, inv.Machine)
	}
	return ids
}

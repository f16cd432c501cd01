package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/results"
)

// notes say what is true of all numbers of the scenario.
func (r *reader) notes(cells []*results.Cell) []string {
	var notes []string
	if r.unordered() {
		notes = append(notes, fmt.Sprintf("unordered: imported from %s, no blocks, no A/A: drift of the machine is not told from differences, and nothing shows whether the machine lies", r.campaign.Source))
	}
	if p := r.primary(); p != nil && p.Sample() == results.SampleRequest {
		notes = append(notes, "a request that was not answered in time counts with the time that was waited for it, so that its latency is a lower bound; refused, reset and cut-off ones are in no quantile, and counted apart")
	}
	return append(append(notes, r.cpuNotes(cells)...), r.blind(cells)...)
}

// oneCPU is said of answers, or of those of one level.
const oneCPU = "1 CPU: the agent's background threads are part of the cost"

// cpuNotes say, level by level where these differ, what the number of CPUs makes
// of the figures.
func (r *reader) cpuNotes(cells []*results.Cell) []string {
	es, levels := map[string][]evidence{}, []string{}
	for _, c := range cells {
		l := c.Level()
		if n := c.Factor(cpusFactor); n != "" {
			l = cpusFactor + "=" + n
		}
		if _, known := es[l]; !known {
			levels = append(levels, l)
		}
		es[l] = append(es[l], succeeded(r.all[c.ID], r.profile())...)
	}
	var notes, single []string
	varied := slices.ContainsFunc(cells, func(c *results.Cell) bool { return c.Factor(cpusFactor) != "" })
	for _, l := range levels {
		fewest, most := cpusOf(es[l])
		switch {
		case fewest == 1 && most == 1:
			single = append(single, l)
		case fewest < most:
			notes = append(notes, fmt.Sprintf("%sits invocations had %d to %d CPUs: something else took CPUs away meanwhile, and the figures are a mixture", in(l), fewest, most))
		}
	}
	if len(single) > 0 && len(single) == len(levels) {
		notes = append(notes, oneCPU)
	} else {
		for _, l := range single {
			notes = append(notes, in(l)+oneCPU)
		}
	}
	if varied {
		notes = append(notes, "cpus is a factor: every cell is compared with the baseline that had as many CPUs, and with no other")
	}
	return notes
}

func in(level string) string {
	if level == "" {
		return ""
	}
	return level + ": "
}

// cpusFactor is the factor that says how many CPUs a cell has.
const cpusFactor = "cpus"

// apart says why two cells are not compared: figures of different numbers of
// CPUs answer different questions.
func (r *reader) apart(a, b *results.Cell) string {
	x, y := a.Parameter(cpusFactor), b.Parameter(cpusFactor)
	if x == "" {
		x = a.Factor(cpusFactor)
	}
	if y == "" {
		y = b.Factor(cpusFactor)
	}
	if x == "" && y == "" && a.Level() != b.Level() {
		m, _ := cpusOf(succeeded(r.all[a.ID], r.profile()))
		n, _ := cpusOf(succeeded(r.all[b.ID], r.profile()))
		if m > 0 && n > 0 {
			x, y = strconv.Itoa(m), strconv.Itoa(n)
		}
	}
	if x == y {
		return ""
	}
	return fmt.Sprintf("%s has %s and %s has %s, and figures of different numbers of CPUs are never compared", a.Label(), cpus(x), b.Label(), cpus(y))
}

func cpus(n string) string {
	switch n {
	case "":
		return "those of its machine"
	case "1":
		return "1 CPU"
	}
	return n + " CPUs"
}

// oversubscribed returns the threads of a cell and the CPUs that its
// invocations had; 0 CPUs are not known, and then so are no threads.
func (r *reader) oversubscribed(id string) (threads, cpus int) {
	if cpus, _ = cpusOf(succeeded(r.all[id], r.profile())); cpus == 0 {
		return 0, 0
	}
	return int(r.campaign.Cell(id).Int("threads")), cpus
}

// cpusOf are the smallest and the largest number of CPUs that the invocations
// had; 0 when it is not known.
func cpusOf(es []evidence) (fewest, most int) {
	for _, e := range es {
		c := cpuCount(e.CPUs)
		if c > 0 && (fewest == 0 || c < fewest) {
			fewest = c
		}
		most = max(most, c)
	}
	return fewest, most
}

// cpuCount counts the CPUs of a list such as 0,2-3; 0 when it is none.
func cpuCount(list string) int {
	n := 0
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		a, err := strconv.Atoi(first)
		b := a
		if err == nil && isRange {
			b, err = strconv.Atoi(last)
		}
		if err != nil || b < a {
			return 0
		}
		n += b - a + 1
	}
	return n
}

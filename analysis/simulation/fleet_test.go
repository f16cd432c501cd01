package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/infer"
)

// fleetDocument says how many hosts and how many blocks each an answer takes.
const fleetDocument = "../FLEET.md"

// What the document takes for a plan: minutes of a block, and of a host before its first one.
const blockMinutes, hostMinutes = 10, 5

// allocation is so many hosts with so many blocks each.
type allocation struct{ hosts, blocks int }

// width is the median half-width of the interval for hosts like these over replicates, in standard deviations of the
// difference of one block; hosts differ by tau of these.
func (a allocation) width(tau float64, replicates int, stream uint64) float64 {
	var all []float64
	for i := range replicates {
		r := rand.New(rand.NewPCG(seed, stream<<32|uint64(i)))
		d := infer.Data{Paired: true, Ordered: true}
		for h := range a.hosts {
			own := tau * r.NormFloat64()
			for range a.blocks {
				d.X.Values, d.Y.Values = append(d.X.Values, 1000+own+r.NormFloat64()), append(d.Y.Values, 1000)
				d.X.Strata = append(d.X.Strata, h)
			}
		}
		x := infer.Solver(nil).Compare(infer.Question{Alpha: 1 - level}, d)
		e := x.Difference
		if x.Hosts != nil {
			e = x.Hosts.Like
		}
		all = append(all, e.Interval.Half())
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// optimal is the number of blocks per host that makes the variance of the mean smallest for given host-minutes: it does
// not hang on how many hosts there are (Cochran 1977, 10.6).
func optimal(tau float64) float64 { return math.Sqrt(hostMinutes / (blockMinutes * tau * tau)) }

var fleetTaus = []float64{0.1, 0.3, 1, 3}

func fleetReport(replicates int) string {
	var s strings.Builder
	fmt.Fprintf(&s, `# Hosts against blocks per host

Made by `+"`go test ./analysis/simulation -run TestFleetDocument -update`"+`. Seed %d, %d replicates of each figure.

How exact is the answer for machines like these, when so many hosts measure so many blocks each? The figures are the
median half-width of its 95 %% interval by the shipped code, in σ, the standard deviation of the difference of one block on
one host; hosts differ by τ. A block takes %d minutes here, and a host %d before its first one: a host is busy for
%d + %d n minutes, which is also the wall time when all hosts measure at once.

`, seed, replicates, blockMinutes, hostMinutes, hostMinutes, blockMinutes)
	s.WriteString("| hosts | blocks each | host-hours | wall time, min |")
	for _, tau := range fleetTaus {
		fmt.Fprintf(&s, " τ = %v σ |", tau)
	}
	s.WriteString("\n|---|---|---|---|" + strings.Repeat("---|", len(fleetTaus)) + "\n")
	stream := uint64(900)
	for _, hosts := range []int{3, 5, 10, 30, 100, 1000} {
		for _, blocks := range []int{1, 2, 5, 10, 20} {
			minutes := hostMinutes + blockMinutes*blocks
			fmt.Fprintf(&s, "| %d | %d | %.1f | %d |", hosts, blocks, float64(hosts*minutes)/60, minutes)
			for _, tau := range fleetTaus {
				stream++
				fmt.Fprintf(&s, " %.3g |", allocation{hosts, blocks}.width(tau, max(5, replicates/max(1, hosts*blocks/500)), stream))
			}
			s.WriteString("\n")
		}
	}
	s.WriteString(`
For given host-hours the variance of the mean, (τ² + σ²/n)/k, is smallest with n = √(c/b) · σ/τ blocks on each host, c being
the time of a host before its first block and b that of a block (Cochran 1977, 10.6), whatever the number of hosts k:
`)
	for _, tau := range fleetTaus {
		fmt.Fprintf(&s, "%.2g for τ = %v σ; ", optimal(tau), tau)
	}
	s.WriteString(`at least one. Two are needed for an answer on these machines, and for τ to be known; five for the A/A of a host to be
judged. So: as many hosts as there are, and two to five blocks on each, unless hosts hardly differ. From ten hosts on,
more blocks on each make an answer for machines like these no more exact once τ is as large as σ.
`)
	return s.String()
}

// TestFleetDocument writes the document when asked to, and else makes sure that it tells of this simulation.
func TestFleetDocument(t *testing.T) {
	if *update && *chosen == "" {
		if err := os.WriteFile(fleetDocument, []byte(fleetReport(200)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(fleetDocument)
	if err != nil {
		t.Fatal(err)
	}
	// One row again, with fewer replicates, is near what stands there.
	var hosts, blocks, minutes int
	var hours, a, b, c, d float64
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, "| %d | %d | %g | %d | %g | %g | %g | %g |", &hosts, &blocks, &hours, &minutes, &a, &b, &c, &d); err != nil || hosts != 10 || blocks != 5 {
			continue
		}
		if got := (allocation{10, 5}).width(1, 60, 1); math.Abs(got/c-1) > 0.15 {
			t.Errorf("10 hosts with 5 blocks: ± %v σ, the document says %v", got, c)
		}
		return
	}
	t.Error("the document has no row of 10 hosts with 5 blocks")
}

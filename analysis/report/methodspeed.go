package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
)

// speedText says, for a paper, how the costs of a scenario were carried to one speed of the CPU; "" if they are
// as measured.
func speedText(s *analysis.Scenario) string {
	var programs []string
	var prior stats.Prior
	at := each(s.References, func(r analysis.Reference) string {
		return textIf(r.Unused == "", figure.Count(int64(math.Round(r.At)))+" ns"+prefixed(" on JDK ", r.Runtime))
	})
	for _, c := range counted(s) {
		a := metricOf(c, s.Primary)
		if a.Speed == nil || !a.Values.Carried() {
			continue
		}
		prior = a.Values[0].Carried.Law.Prior
		programs = append(programs, fmt.Sprintf(
			"%s %s (SE %s)", c.Label, figure.Ratio(a.Speed.Elasticity), formatG(a.Speed.SE, 2)))
	}
	if len(programs) == 0 {
		return ""
	}
	return "Scenario " + s.Label +
		": times are at one speed of the CPU, at which a fixed piece of work, the reference, takes " +
		strings.Join(prose.Unique(prose.NonEmpty(at...)), " or ") +
		": the geometric mean of what it took between the calls of all JVMs. " +
		"A program’s times y follow those of the reference, w, by a power law, y ∝ w^ε, " +
		"which is fitted between JVMs by least squares over logarithms; " +
		"each value is multiplied by (w₀/w)^ε, w₀ being the speed above. " +
		"The prior of ε is " + priorText(prior) +
		" (of start-up and p99 wider), a mixture after Berger and Berliner 1986. " +
		"Elasticities ε: " + named(programs, ", ") + ". " +
		"An interval has the uncertainty of ε: SE² = F s²/n + (Σ ∂D/∂ε)² Var(ε), for each ε, " +
		"with the degrees of freedom that the fit leaves. " +
		"Quantiles beyond p99, and metrics other than CPU time and start-up, are not adjusted."
}

// priorText formats a prior of elasticities: 0.7 N(1, 0.2²) + 0.3 N(1, 0.5²).
func priorText(p stats.Prior) string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	return number(1-p.Share) + " N(1, " + number(p.SD) + "²) + " + number(p.Share) + " N(1, " + number(p.Wide) + "²)"
}

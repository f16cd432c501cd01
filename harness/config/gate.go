package config

import (
	"fmt"
	"slices"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

// mostWorse is the largest worse_by in per cent: a hundredfold.
const mostWorse = 10_000

// gate describes the section [gate]. The plan checks that its variants exist.
func (r *reader) gate() strict.Kind {
	oneSided := func(v strict.Value) (float64, bool) {
		x, ok := alpha(v)
		if ok && x >= 0.5 {
			v.Fail("such as 0.01", "alpha: %v is too much for one-sided bounds: from 0.5 on they mean nothing", x)
		}
		return x, ok
	}
	kind := strict.Optional(&r.file.Gate, func(g *results.Gate) strict.Table {
		metric := ""
		var also, alarms []results.GateLimit
		return strict.NewTable(
			"The limits of what is accepted: how much worse than its reference of the same blocks a variant may be.",
			strict.NewKey("metric", strict.String(&metric),
				"metric that is judged, or label/metric where there are several scenarios; "+
					"by default the primary one of the first scenario").Like("overhead/duration"),
			strict.NewKey("worse_by", percent(&g.WorseBy, mostWorse),
				"by how much of the reference's value a variant may be worse").Must().Like("3%"),
			strict.NewKey("also", limits(&also),
				"further metrics of the same scenario that a variant has to be shown not to be worse in, "+
					"and by how much it may be; of counts, such as lost, by how much of all requests").
				Like(map[string]any{"cpu_ns": "5%"}),
			strict.NewKey("alarms", limits(&alarms),
				"the same of metrics that a variant only may not be shown to be worse in: "+
					"it passes where they leave that open").Like(map[string]any{"startup_ns": "10%"}),
			strict.NewKey("alpha", strict.Func("number", &g.Alpha, oneSided),
				"chance that any variant which is worse by exactly that is found to be worse; below 0.5").Or(0.01),
			strict.NewKey("reference", strict.String(&g.Reference),
				"variant that the others are compared with; by default the baseline").Like("kieker/bci/tcp"),
			strict.NewKey("variants", strict.Distinct(&g.Variants, strict.Value.Line),
				"variants that are judged; by default all but the baseline and the reference").
				Like([]string{"mine"}),
		).Checked(func(v strict.Value) {
			if metric == "" && v.Has("metric") {
				return // reported already
			}
			s := r.gatedScenario(metric, v.Key("metric"))
			if s == nil {
				return
			}
			g.Scenario = s.Label
			schema := r.schemaOf(s.Label)
			if schema == nil {
				return // reported already
			}
			if m := schema.metric(metric[strings.LastIndex(metric, "/")+1:], metric, v); m != nil {
				g.Metric = m.Name
				if m.Of != "" {
					v.Key("metric").Fail(
						"name it in also, or ask a [[question]] about it, or take a metric that is not a count",
						"%s counts events: the metric of a gate is a mean", m.Name)
				}
				checkGated(m, s, v.Key("metric"))
			}
			for i := range alarms {
				alarms[i].Alarm = true
			}
			g.Also = slices.Concat(also, alarms)
			r.checkLimits(g, s, schema, v)
		})
	})
	one := kind.Read
	kind.Read = func(v strict.Value) {
		if _, several := v.Raw.([]map[string]any); several {
			v.Fail("write [gate]", "[[gate]] is a list, a campaign has one gate")
			return
		}
		one(v)
	}
	return kind
}

// limits reads a table of worse_by limits by metric, sorted by name.
func limits(dst *[]results.GateLimit) strict.Kind {
	return strict.Kind{Type: "table of percentages", Read: func(v strict.Value) {
		for _, e := range v.Entries() {
			l := results.GateLimit{Metric: fmt.Sprint(e.Path()[len(e.Path())-1])}
			percent(&l.WorseBy, mostWorse).Read(e)
			*dst = append(*dst, l)
		}
	}}
}

// checkLimits reports the metrics of also and alarms that a gate cannot judge.
func (r *reader) checkLimits(g *results.Gate, s *Scenario, schema *Schema, v strict.Value) {
	seen := map[string]bool{g.Metric: true}
	for _, l := range g.Also {
		at := v.Key("also").Key(l.Metric)
		if l.Alarm {
			at = v.Key("alarms").Key(l.Metric)
		}
		if seen[l.Metric] {
			at.Fail("take it out", "%s is judged already", l.Metric)
		}
		seen[l.Metric] = true
		if m := schema.metric(l.Metric, l.Metric, at); m != nil {
			checkGated(m, s, at)
		}
	}
}

// gatedScenario returns the scenario named before the slash of metric. Without a slash it
// returns the only scenario, or the first if metric is empty. nil: none, or several are
// possible; already reported.
func (r *reader) gatedScenario(metric string, at strict.Value) *Scenario {
	labels := r.labels()
	slash := strings.LastIndex(metric, "/")
	switch i := slices.Index(labels, metric[:max(0, slash)]); {
	case len(labels) == 0: // reported already
	case i >= 0 && slash >= 0:
		return &r.file.Scenarios[i]
	case slash >= 0:
		if _, quantile := quantiles[metric[slash+1:]]; quantile {
			at.Fail("ask a [[question]] about the quantile", "%q: a gate is about means", metric)
		} else {
			at.Fail(strict.Hint(metric[:slash], labels), "no scenario is called %q", metric[:slash])
		}
	case metric != "" && len(labels) > 1:
		at.Fail(fmt.Sprintf("write %q", labels[0]+"/"+metric),
			"metric: there are several scenarios, and %q does not say whose", metric)
	default:
		return &r.file.Scenarios[0]
	}
	return nil
}

// checkGated reports a metric that a gate cannot judge.
func checkGated(m *results.Metric, s *Scenario, at strict.Value) {
	switch {
	case m.Profile == results.ProfileCalibration:
		at.Fail("take what is measured", "%s is found by calibration, before anything is compared", m.Name)
	case m.Better != results.Lower && m.Better != results.Higher:
		at.Fail("take a metric of which less, or more, is better",
			"%s is only informative: neither less nor more of it is worse", m.Name)
	case m.Profile == results.ProfileResources && s.Resources == 0:
		at.Fail("set resources to 3 or more, or take another metric",
			"%s is read from the runs of resources, and scenario %s has resources = 0", m.Name, s.Label)
	}
}

package jmh

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"moobench/results"
)

// The setups of a benchmark: the conditions it ran under. Cells with different setups are not compared, unless
// the setup is the variant (--by).
const (
	setupJMH     = "jmh"
	setupJDK     = "jdk"
	setupVM      = "vm"
	setupArgs    = "jvm_options"
	setupWarmup  = "warmup"
	setupMeasure = "measurement"
	setupBatch   = "batch"
)

// setups lists all setups in the order in which they follow a variant.
var setups = []string{setupJDK, setupVM, setupArgs, setupBatch, setupWarmup, setupMeasure, setupJMH}

// setup returns the conditions a benchmark ran under; "": unknown.
func (b *benchmark) setup() map[string]string {
	iterations := func(n int, each string, batch int) string {
		text := fmt.Sprint(n)
		if each != "" && b.Mode != "ss" && n > 0 { // a single shot has no fixed length
			text += " × " + each
		}
		if batch > 1 {
			text += fmt.Sprintf(" of %d calls", batch)
		}
		return text
	}
	all := map[string]string{
		setupJMH: b.JMH, setupJDK: b.runtime(), setupVM: b.VMName, setupArgs: b.options(),
		setupBatch: "", setupWarmup: "", setupMeasure: "",
	}
	if b.Batch > 0 {
		all[setupBatch] = fmt.Sprint(b.Batch)
	}
	if b.Measured > 0 { // older versions of JMH don't report them
		all[setupWarmup] = iterations(b.Warmup, b.WarmupAt, b.WarmBatch)
		all[setupMeasure] = iterations(b.Measured, b.Time, 0)
	}
	return all
}

// hotspot8 matches HotSpot's own version numbers in Java 7 and 8, which differ from the Java version.
var hotspot8 = regexp.MustCompile(`^2[45]\.\d+-b\d+`)

// runtime returns the JDK: the VM's build if that contains the version, 17.0.9+9, else the version, followed by
// the VM's if that is different.
func (b *benchmark) runtime() string {
	switch {
	case b.JDK == "" && hotspot8.MatchString(b.VMVersion):
		return map[byte]string{'4': "7", '5': "8"}[b.VMVersion[1]] + " (HotSpot " + b.VMVersion + ")"
	case b.JDK == "" || strings.HasPrefix(b.VMVersion, b.JDK):
		return b.VMVersion
	case b.VMVersion == "" || hotspot8.MatchString(b.VMVersion):
		return b.JDK
	}
	return b.JDK + " (" + b.VMVersion + ")"
}

// monitors are prefixes of VM options that agents need, or that are monitoring themselves: variants may differ
// in them.
var monitors = []string{
	"-Xlog", "-Xbootclasspath", "-XX:+Unlock", "-XX:+EnableDynamicAgentLoading",
	"-XX:StartFlightRecording", "-XX:FlightRecorderOptions", "-XX:+FlightRecorder",
	"-XX:+DebugNonSafepoints", "-XX:CompilerDirectives", "-XX:CompileCommandFile",
}

// options returns the VM options for heaps, collectors, compilers and the like. Options with paths are skipped,
// since a variant may bring them.
func (b *benchmark) options() string {
	if b.JVMArgs == nil {
		return ""
	}
	var all []string
	for _, arg := range b.JVMArgs {
		own := slices.ContainsFunc(monitors, func(start string) bool { return strings.HasPrefix(arg, start) })
		switch {
		case own || strings.ContainsAny(arg, `/\\`):
		case strings.HasPrefix(arg, "-X"), arg == "-server", arg == "-client",
			strings.HasPrefix(arg, "-ea"), strings.HasPrefix(arg, "-enableassertions"):
			all = append(all, arg)
		}
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, " ")
}

// unlikeSetups returns the setups that differ between benchmarks with equal varying properties: their cells
// would otherwise be compared, or coincide.
func unlikeSetups(all []*benchmark, varied []string, by string) []string {
	var unlike []string
	for _, name := range setups {
		differs := false
		first := map[string]string{} // by level
		for _, b := range all {
			properties, level := b.properties(), ""
			if _, taken := properties[name]; taken || name == by {
				continue
			}
			for _, v := range varied {
				level += fmt.Sprintf("%q=%q ", v, properties[v])
			}
			setup := b.setup()
			for _, v := range unlike { // setups that vary together with these need no factor of their own
				level += fmt.Sprintf("%q ", setup[v])
			}
			value := setup[name]
			if known := first[level]; value != "" && known != "" && known != value {
				differs = true
			}
			if value != "" {
				first[level] = value
			}
		}
		if differs {
			unlike = append(unlike, name)
		}
	}
	return unlike
}

// apart says which variants have no baseline because of their setups, and what to do about it.
func apart(cells []results.Cell, setups []string) []string {
	var texts []string
	for _, name := range setups {
		values := map[string][]string{} // by variant
		alone := false
		for _, c := range cells {
			alone = alone || c.Role != results.RoleBaseline && c.Baseline == ""
			if v := c.Factor(name); v != "" && !slices.Contains(values[c.Variant], v) {
				values[c.Variant] = append(values[c.Variant], v)
			}
		}
		if !alone {
			continue
		}
		var each []string
		for _, variant := range slices.Sorted(maps.Keys(values)) {
			each = append(each, variant+" with "+strings.Join(values[variant], " and "))
		}
		texts = append(texts, fmt.Sprintf("not compared, as they differ in %s: %s; --by %s makes it the variant",
			strings.ReplaceAll(name, "_", " "), listed(each), name))
	}
	return texts
}

// unlikeIteration is the relative deviation from the others' median above which the first or the last iteration
// of each fork is reported.
const unlikeIteration = 0.2

// unlike reports the metrics whose first or last iteration differs from the others in each fork: the warm-up
// may be too short, or a profiler may have seen only a part of an iteration.
func unlike(all []*benchmark) []string {
	var texts []string
	for _, b := range all {
		say := func(metric string, forks [][]float64) {
			for _, end := range []string{"first", "last"} {
				if ratio, bias, ok := oddEnd(forks, end == "last"); ok {
					way := map[bool]string{true: "higher", false: "lower"}[bias > 0]
					texts = append(texts, fmt.Sprintf("%s of %s: the %s iteration of each fork is unlike the others, "+
						"%.3g times their median, and makes the mean %.2g %% %s",
						metric, b.label(), end, ratio, 100*math.Abs(bias), way))
				}
			}
		}
		say("the score", b.Primary.forks)
		for _, name := range slices.Sorted(maps.Keys(b.Secondary)) {
			say(b.secondaryName(name), b.Secondary[name].forks)
		}
	}
	const most = 4
	if n := len(texts); n > most {
		texts = append(texts[:most], fmt.Sprintf(
			"and %d more, of which the first or the last iteration of each fork is unlike the others", n-most))
	}
	return texts
}

// oddEnd reports whether the first or the last iteration of each fork deviates from the others by more than
// twice their spread. ratio is the end over the others' median, bias the relative change of the fork's mean;
// both are means over forks.
func oddEnd(forks [][]float64, last bool) (ratio, bias float64, ok bool) {
	const fewest = 4 // iterations; with fewer nothing shows what is usual
	n := 0
	for _, fork := range forks {
		if len(fork) < fewest {
			continue
		}
		end, others := fork[0], slices.Clone(fork[1:])
		if last {
			end, others = fork[len(fork)-1], slices.Clone(fork[:len(fork)-1])
		}
		slices.Sort(others)
		median := others[len(others)/2]
		off := end/median - 1
		spread := max(others[len(others)-1]/median-1, 1-others[0]/median)
		odd := median > 0 && math.Abs(off) > unlikeIteration && math.Abs(off) > 2*spread
		if !odd || n > 0 && (off > 0) != (ratio > float64(n)) {
			return 0, 0, false
		}
		sum := end
		for _, x := range others {
			sum += x
		}
		rest := (sum - end) / float64(len(others))
		n, ratio, bias = n+1, ratio+end/median, bias+sum/float64(len(fork))/rest-1
	}
	if n < 2 {
		return 0, 0, false
	}
	return ratio / float64(n), bias / float64(n), true
}

// hideSecrets cuts values that look secret from the options and parameters of benchmarks, unless wanted is set,
// and says which. Different values stay distinct.
func hideSecrets(all []*benchmark, wanted bool) string {
	if wanted {
		return ""
	}
	var names []string
	hidden := map[string][]string{} // values of parameters that were cut, by name
	for _, b := range all {
		cut, own := results.CutSecrets(b.JVMArgs)
		b.JVMArgs, names = cut, append(names, own...)
		for name, value := range b.Params {
			text, also := results.CutSecrets([]string{name + "=" + value})
			if len(also) == 0 {
				continue
			}
			if !slices.Contains(hidden[name], value) {
				hidden[name] = append(hidden[name], value)
			}
			cut := strings.TrimPrefix(text[0], name+"=")
			if i := slices.Index(hidden[name], value); i > 0 {
				cut += fmt.Sprint(" ", i+1)
			}
			b.Params[name], names = cut, append(names, name)
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 0 {
		return ""
	}
	return "values that look secret are shown as " + results.Hidden + " (--secrets keeps them): " + listed(names)
}

package framework

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moobench/harness/receiver"
	"moobench/results"
)

// Separators in the name of a variant. They occur in no name of a framework, mode or stage.
const (
	// buildMark precedes a build or a version: mine/bci/default@old,
	// opentelemetry@2.20.0/bci/otlp.
	buildMark = "@"
	// faultMark precedes a fault of the receiver: opentelemetry/bci/otlp~hang.
	faultMark = "~"
	// settingsMark precedes values of parameters: opentelemetry/bci/otlp:queue=8192.
	settingsMark = ":"
)

// versionPattern distinguishes versions from names of builds.
var versionPattern = regexp.MustCompile(`^v?[0-9][A-Za-z0-9._-]*$`)

// parts are the parts of a variant's name: its base, the build or version, the settings, and
// the fault of its receiver; "" for parts that are missing.
type parts struct{ base, from, settings, fault string }

func partsOf(name string) parts {
	var p parts
	p.base, p.fault, _ = strings.Cut(name, faultMark)
	p.base, p.settings, _ = strings.Cut(p.base, settingsMark)
	at := strings.LastIndex(p.base, buildMark)
	if at < 0 {
		return p
	}
	from, rest, inside := strings.Cut(p.base[at+1:], "/")
	p.base, p.from = p.base[:at], from
	if inside {
		p.base += "/" + rest
	}
	return p
}

// withFault returns a variant whose receiver has a fault. The variant without the fault proves
// that it instruments.
func (v Variant) withFault(fault string) (Variant, error) {
	known, ok := results.FaultNamed(fault)
	if !ok {
		names := results.Each(results.Faults(), func(f results.Fault) string { return f.Name })
		return Variant{}, fmt.Errorf("%s: receivers have no fault %q, but %s", v.Name, fault, strings.Join(names, ", "))
	}
	if v.Receiver == "" {
		return Variant{}, fmt.Errorf("%s sends to no receiver of ours, which could do something wrong", v.Name)
	}
	format, err := receiver.FormatNamed(v.Receiver)
	if err == nil {
		err = format.Can(receiver.Fault(fault))
	}
	if err != nil {
		return Variant{}, fmt.Errorf("%s%s%s: %w", v.Name, faultMark, fault, err)
	}
	v.Proof.Sibling = cmp.Or(v.Proof.Sibling, v.Name)
	v.Name += faultMark + fault
	v.Framework += faultMark + fault
	v.Fault = receiver.Fault(fault)
	v.About += ", whose receiver " + known.Does
	return v, nil
}

// fromVersion returns a variant in another version, which replaces its main artifact and the
// artifacts of the same group and version.
func fromVersion(v Variant, version string) (Variant, error) {
	main := v.mainArtifact()
	if main.Maven == "" {
		return Variant{}, fmt.Errorf("%s has no jar with Maven coordinates, which versions go by", v.Name)
	}
	of, err := parseCoordinates(main.Maven)
	if err != nil {
		return Variant{}, err
	}
	name := func(name string) string {
		framework, rest, _ := strings.Cut(name, "/")
		return framework + buildMark + version + "/" + rest
	}
	v.Name = name(v.Name)
	v.Framework += buildMark + version
	v.Artifacts = slices.Clone(v.Artifacts)
	for i, a := range v.Artifacts {
		c, err := parseCoordinates(a.Maven)
		if err != nil || c.group != of.group || c.version != of.version || version == of.version {
			continue
		}
		c.version = version
		v.Artifacts[i] = Artifact{Name: a.Name, Maven: c.String()}
	}
	v.About = v.told()
	unversioned := strings.TrimSuffix(v.Framework, buildMark+version)
	if v.Proof.Sibling != "" && strings.HasPrefix(v.Proof.Sibling, unversioned+"/") {
		v.Proof.Sibling = name(v.Proof.Sibling)
	}
	return v, nil
}

// main returns the name of the main artifact, which determines the version.
func (v Variant) main() string {
	if v.Main == "" && len(v.Artifacts) == 1 {
		return v.Artifacts[0].Name
	}
	return cmp.Or(v.Main, agentName)
}

// mainArtifact returns the main artifact, or the zero Artifact.
func (v Variant) mainArtifact() Artifact {
	i := slices.IndexFunc(v.Artifacts, func(a Artifact) bool { return a.Name == v.main() })
	if i < 0 {
		return Artifact{}
	}
	return v.Artifacts[i]
}

// told returns the variant's About with the version of its main artifact filled in.
func (v Variant) told() string {
	about := strings.Join(strings.Fields(strings.ReplaceAll(v.AboutAny, "{version}", v.Version())), " ")
	return strings.ReplaceAll(about, " ,", ",")
}

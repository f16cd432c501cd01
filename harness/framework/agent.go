package framework

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"moobench/refusal"
)

const (
	agentOption  = "-javaagent:"
	manifestName = "META-INF/MANIFEST.MF"
	premainClass = "premain-class"
	mostManifest = 1 << 20 // bytes
)

// IsAgent reports whether the variant's JVM arguments load an artifact as an agent.
func (v Variant) IsAgent(alias string) bool {
	return slices.ContainsFunc(v.Args, loads(agentOption+"{jar."+alias+"}"))
}

// loads returns a function that reports whether an argument is option, alone or followed by =
// and options of the agent.
func loads(option string) func(arg string) bool {
	return func(arg string) bool { return arg == option || strings.HasPrefix(arg, option+"=") }
}

// CheckAgent returns an error if a jar cannot be loaded as an agent because its manifest names no
// Premain-Class. It accepts a file that is not an archive: the JVM's own error message is more precise.
func CheckAgent(path string) error {
	manifest, err := manifestOf(path)
	if err != nil || manifest[premainClass] != "" {
		return nil
	}
	return refusal.New(fmt.Errorf("%s is not an agent: its manifest has no Premain-Class", path),
		"name the agent's own jar, which is often called …-agent.jar or …-all.jar, "+
			"or build it with that line in "+manifestName)
}

// distributions maps frameworks of the catalogue to a pattern of the class names in the
// manifests of their other distributions.
var distributions = map[string]*regexp.Regexp{
	"opentelemetry": regexp.MustCompile(`(?i)(^|\.)(opentelemetry|otel)\.`),
}

// DistributionOf returns the framework of which a jar is a distribution, according to its
// manifest; "" if unknown.
func DistributionOf(path string) string {
	manifest, err := manifestOf(path)
	if err != nil {
		return ""
	}
	for name, class := range distributions {
		if class.MatchString(manifest[premainClass]) || class.MatchString(manifest["main-class"]) {
			return name
		}
	}
	return ""
}

// manifestOf returns the main section of a jar's manifest, by lower-case name; empty if the jar
// has no manifest.
func manifestOf(path string) (map[string]string, error) {
	jar, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer jar.Close()
	all := map[string]string{}
	last := ""
	manifest, err := jar.Open(manifestName)
	if err != nil {
		return all, nil
	}
	defer manifest.Close()
	lines := bufio.NewScanner(io.LimitReader(manifest, mostManifest))
	for lines.Scan() && strings.TrimSpace(lines.Text()) != "" {
		if more, goesOn := strings.CutPrefix(lines.Text(), " "); goesOn {
			all[last] += strings.TrimRight(more, "\r")
			continue
		}
		name, value, _ := strings.Cut(lines.Text(), ":")
		last = strings.ToLower(name)
		all[last] = strings.TrimSpace(value)
	}
	return all, nil
}

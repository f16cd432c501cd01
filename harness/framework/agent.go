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

// IsAgent reports whether a JVM of the variant is told to load an artifact as an agent.
func (v Variant) IsAgent(alias string) bool {
	return slices.ContainsFunc(v.Args, loads(agentOption+"{jar."+alias+"}"))
}

// loads tells which arguments load an agent as an option does, or that with options of its own.
func loads(option string) func(arg string) bool {
	return func(arg string) bool { return arg == option || strings.HasPrefix(arg, option+"=") }
}

// CheckAgent returns why no JVM could load a jar as an agent: it names no class for that. Of a
// file that is no archive the JVM says more, and nothing is said here.
func CheckAgent(path string) error {
	manifest, err := manifestOf(path)
	if err != nil || manifest[premainClass] != "" {
		return nil
	}
	return refusal.New(fmt.Errorf("%s is no agent: its manifest has no Premain-Class", path),
		"name the agent's own jar, which is often called …-agent.jar or …-all.jar, or build it with that line in "+manifestName)
}

// distributions are frameworks of the catalogue of which there are others' distributions, and
// what their manifests have in them: the names of classes that they share.
var distributions = map[string]*regexp.Regexp{
	"opentelemetry": regexp.MustCompile(`(?i)(^|\.)(opentelemetry|otel)\.`),
}

// DistributionOf names the framework of which a jar is a distribution, by its manifest; "" is
// none that is known.
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

// manifestOf is the main section of a jar's manifest, by the names in small letters; it is
// empty where the jar has none.
func manifestOf(path string) (map[string]string, error) {
	jar, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer jar.Close()
	all, last := map[string]string{}, ""
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

package framework

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"moobench/refusal"
)

const (
	agentOption  = "-javaagent:"
	manifestName = "META-INF/MANIFEST.MF"
	premainClass = "Premain-Class"
	mostManifest = 1 << 20 // bytes
)

// IsAgent reports whether a JVM of the variant is told to load an artifact as an agent.
func (v Variant) IsAgent(alias string) bool {
	option := agentOption + "{jar." + alias + "}"
	return slices.ContainsFunc(v.Args, func(arg string) bool { return arg == option || strings.HasPrefix(arg, option+"=") })
}

// CheckAgent returns why no JVM could load a jar as an agent: it names no class for that. Of a
// file that is no archive the JVM says more, and nothing is said here.
func CheckAgent(path string) error {
	jar, err := zip.OpenReader(path)
	if err != nil {
		return nil
	}
	defer jar.Close()
	manifest, err := jar.Open(manifestName)
	if err == nil {
		defer manifest.Close()
		lines := bufio.NewScanner(io.LimitReader(manifest, mostManifest))
		for lines.Scan() && strings.TrimSpace(lines.Text()) != "" { // those of the main section
			if name, value, _ := strings.Cut(lines.Text(), ":"); strings.EqualFold(name, premainClass) && strings.TrimSpace(value) != "" {
				return nil
			}
		}
	}
	return refusal.New(fmt.Errorf("%s is no agent: its manifest has no %s", path, premainClass),
		"name the agent's own jar, which is often called …-agent.jar or …-all.jar, or build it with that line in "+manifestName)
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"moobench/analysis/figure"
	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/maven"
)

// software is what moobench needs besides the machine; file may be nil.
func software(ctx context.Context, t *terminal, file *config.File) []finding {
	all := javas(file)
	all = append(all, mavenHere(ctx), fixtures(t))
	return append(all, artifacts(ctx)...)
}

// javas says which JDK measures, and which others there are.
func javas(file *config.File) []finding {
	const topic = "JDK"
	home := ""
	var err error
	if file != nil {
		home, err = fromFile(file, file.JVM.Home)
	}
	var used jvm.Java
	if err == nil {
		used, err = jvm.Find(home)
	}
	if err != nil {
		text, hint, _ := strings.Cut(err.Error(), "\nhint: ")
		return []finding{{State: lacks, Topic: topic, Text: text, Do: hint}}
	}
	all := []finding{{State: fine, Topic: topic, Text: used.Version + " in " + used.Home}}
	for _, j := range jvm.All() {
		if j != used {
			all = append(all, finding{State: fine, Topic: topic, Text: j.Version + " is here too", Do: fmt.Sprintf("[jvm] home = %q", j.Home)})
		}
	}
	return all
}

// colours are what Maven paints its version with, even when told not to.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func mavenHere(ctx context.Context) finding {
	const topic, do = "Maven", "apt-get install maven"
	out, err := maven.Command(ctx, maven.Name, "/", "-q", "-B", "-Dstyle.color=never", "-v").Output()
	if err != nil {
		return finding{State: lacks, Topic: topic, Text: fmt.Sprintf("asking mvn for its version: %v", err), Do: do}
	}
	version, _, _ := strings.Cut(strings.TrimSpace(colours.ReplaceAllString(string(out), "")), "\n")
	return finding{State: fine, Topic: topic, Text: cmp.Or(version, "is here")}
}

func fixtures(t *terminal) finding {
	const topic = "fixtures"
	b, err := builder(t, "")
	if err != nil {
		return noCache(topic, err)
	}
	built, ok, err := b.Find()
	switch {
	case err != nil:
		return noCache(topic, err)
	case built.Damage != "":
		return finding{State: note, Topic: topic, Text: fmt.Sprintf("%s can't be used: %s", built.Dir, built.Damage), Do: "the next moobench run builds them again"}
	case !ok:
		return finding{State: fine, Topic: topic, Text: "not built yet: the first moobench run builds them"}
	}
	return finding{State: fine, Topic: topic, Text: "built in " + built.Dir}
}

// noCache says why there is no folder to keep in what is built.
func noCache(topic string, err error) finding {
	text, do, _ := strings.Cut(err.Error(), "\nhint: ")
	return finding{State: lacks, Topic: topic, Text: text, Do: cmp.Or(do, "install moobench again")}
}

// artifacts looks for the catalogue's jars, and fetches none.
func artifacts(ctx context.Context) []finding {
	const topic = "frameworks"
	set, err := framework.Catalogue()
	if err != nil {
		return []finding{{State: lacks, Topic: topic, Text: err.Error(), Do: "install moobench again"}}
	}
	resolver := &framework.Resolver{Offline: true, Log: io.Discard}
	present, missing := 0, 0
	var all []finding
	for _, a := range catalogued(set) {
		_, err := resolver.Resolve(ctx, a)
		var sum *framework.ChecksumError
		switch {
		case err == nil:
			present++
		case errors.As(err, &sum):
			all = append(all, finding{State: note, Topic: topic, Text: err.Error(), Do: "its variants are given up until it is replaced"})
		default:
			missing++
		}
	}
	text := figure.Plural(present, "jar", "jars") + " of the catalogue here, with the right checksums"
	if missing > 0 {
		text += fmt.Sprintf("; moobench run has Maven fetch those of the other %d that it needs", missing)
	}
	return append(all, finding{State: fine, Topic: topic, Text: text})
}

// catalogued are the jars of all variants, each once.
func catalogued(set *framework.Set) []framework.Artifact {
	var all []framework.Artifact
	seen := map[string]bool{}
	for _, name := range set.Names() {
		v, err := set.Variant(name)
		if err != nil {
			continue
		}
		for _, a := range v.Artifacts {
			if !seen[a.String()] {
				seen[a.String()] = true
				all = append(all, a)
			}
		}
	}
	return all
}

package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/maven"
)

// javas says which JDK measures, and which others there are.
func (c Case) javas() []Finding {
	const topic = "JDK"
	used, err := c.Java()
	if err != nil {
		return []Finding{finding(lacks, topic, err)}
	}
	all := []Finding{{State: fine, Topic: topic, Text: used.Version + " in " + used.Home}}
	for _, j := range jvm.All() {
		if j != used {
			all = append(all, Finding{State: fine, Topic: topic, Text: j.Version + " is here too", Do: fmt.Sprintf("[jvm] home = %q", j.Home)})
		}
	}
	return all
}

// colours are what Maven paints its version with, even when told not to.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func mavenHere(ctx context.Context) Finding {
	const topic, do = "Maven", "apt-get install maven"
	out, err := maven.Command(ctx, maven.Name, "/", "-q", "-B", "-Dstyle.color=never", "-v").Output()
	if err != nil {
		return Finding{State: lacks, Topic: topic, Text: fmt.Sprintf("asking mvn for its version: %v", err), Do: do}
	}
	version, _, _ := strings.Cut(strings.TrimSpace(colours.ReplaceAllString(string(out), "")), "\n")
	return Finding{State: fine, Topic: topic, Text: cmp.Or(version, "is here")}
}

func (c Case) fixtures() Finding {
	const topic = "fixtures"
	b, err := c.Fixtures()
	var built fixture.Built
	ok := false
	if err == nil {
		built, ok, err = b.Find()
	}
	switch {
	case err != nil:
		f := finding(lacks, topic, err) // there is no folder to keep them in
		f.Do = cmp.Or(f.Do, "install moobench again")
		return f
	case built.Damage != "":
		return Finding{State: note, Topic: topic, Text: fmt.Sprintf("%s can't be used: %s", built.Dir, built.Damage), Do: "the next moobench run builds them again"}
	case !ok:
		return Finding{State: fine, Topic: topic, Text: "not built yet: the first moobench run builds them"}
	}
	return Finding{State: fine, Topic: topic, Text: "built in " + built.Dir}
}

// artifacts looks for the catalogue's jars, and fetches none.
func artifacts(ctx context.Context) []Finding {
	const topic = "frameworks"
	set, err := framework.Catalogue()
	if err != nil {
		return []Finding{{State: lacks, Topic: topic, Text: err.Error(), Do: "install moobench again"}}
	}
	resolver := &framework.Resolver{Offline: true, Log: io.Discard}
	present, missing := 0, 0
	var all []Finding
	var jars []framework.Artifact // of all variants, each once
	for _, name := range set.Names() {
		v, err := set.Variant(name)
		if err != nil {
			continue
		}
		for _, a := range v.Artifacts {
			if !slices.ContainsFunc(jars, func(known framework.Artifact) bool { return known.String() == a.String() }) {
				jars = append(jars, a)
			}
		}
	}
	for _, a := range jars {
		_, err := resolver.Resolve(ctx, a)
		var sum *framework.ChecksumError
		switch {
		case err == nil:
			present++
		case errors.As(err, &sum):
			all = append(all, Finding{State: note, Topic: topic, Text: err.Error(), Do: "its variants are given up until it is replaced"})
		default:
			missing++
		}
	}
	text := figure.Plural(present, "jar", "jars") + " of the catalogue here, with the right checksums"
	if missing > 0 {
		text += fmt.Sprintf("; moobench run has Maven fetch those of the other %d that it needs", missing)
	}
	return append(all, Finding{State: fine, Topic: topic, Text: text})
}

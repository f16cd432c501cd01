package moobenchcsv

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"moobench/results/importer"
	"moobench/results/safefile"
)

// labels are the names of the configurations of a folder.
type labels struct {
	framework string
	titles    map[int]string // from a script's TITLE[n]
	listed    []string       // from results.yaml, in the order of the configurations
}

// kieker are the titles of MooBench's framework Kieker-java, which are the same in all of
// its versions. Those of other frameworks have changed.
var kieker = []string{"No instrumentation", "Deactivated probe", "No collection", "Text file", "Binary file", "Binary TCP"}

const (
	kiekerFramework = "Kieker-java"
	uninstrumented  = "No instrumentation"
)

var (
	title       = regexp.MustCompile(`(?m)^\s*TITLE\[(\d{1,6})\]=(?:"([^"\n]*)"|'([^'\n]*)'|(\S+))`)
	yamlKind    = regexp.MustCompile(`(?m)^kind:\s*(\S.*?)\s*$`)
	yamlMeasure = regexp.MustCompile(`(?m)^\s+(\S.*?)\s*:\s*\[`)
)

// scriptMost is the largest length in bytes of a script or a results.yaml.
const scriptMost = 1 << 20

// findLabels looks for labels in a results folder and, where MooBench has its own scripts,
// in the folder above. The nearest labels count. A link that leads out of its folder is
// not followed.
func findLabels(dir string) labels {
	l := labels{titles: map[int]string{}}
	if yaml, err := safefile.ReadIn(dir, "results.yaml", scriptMost); err == nil {
		if m := yamlKind.FindSubmatch(yaml); m != nil {
			l.framework = string(m[1])
		}
		for _, m := range yamlMeasure.FindAllSubmatch(yaml, -1) {
			l.listed = append(l.listed, string(m[1]))
		}
	}
	l.readTitles(dir)
	above, err := filepath.Abs(filepath.Join(dir, ".."))
	if err != nil {
		return l
	}
	if len(l.titles) == 0 && len(l.listed) == 0 {
		l.readTitles(above)
	}
	if l.framework == "" && filepath.Base(filepath.Dir(above)) == "frameworks" {
		l.framework = filepath.Base(above)
	}
	return l
}

// readTitles reads the labels in a script, except those with a shell variable.
func (l *labels) readTitles(dir string) {
	for _, name := range []string{"labels.sh", "config.rc"} {
		text, err := safefile.ReadIn(dir, name, scriptMost)
		if err != nil {
			continue
		}
		for _, m := range title.FindAllSubmatch(text, -1) {
			label := strings.TrimSpace(string(m[2]) + string(m[3]) + string(m[4]))
			if n, err := strconv.Atoi(string(m[1])); err == nil && label != "" && !strings.Contains(label, "$") {
				l.titles[n] = label
			}
		}
	}
}

// variants returns the names of the configurations, which are sorted. results.yaml lists
// either all configurations of the framework or the measured ones, without their numbers;
// if the two can't be told apart it is not used.
func (l *labels) variants(configs []int) map[int]string {
	named, used := map[int]string{}, map[string]bool{}
	for i, config := range configs {
		name := l.titles[config]
		switch {
		case name != "":
		case len(l.listed) > configs[len(configs)-1]:
			name = l.listed[config]
		case len(l.listed) == len(configs):
			name = l.listed[i]
		case strings.EqualFold(l.framework, kiekerFramework) && config < len(kieker):
			name = kieker[config]
		default:
			name = fmt.Sprintf("config-%d", config)
		}
		if strings.EqualFold(name, uninstrumented) {
			name = importer.Without
		}
		if used[name] {
			name = fmt.Sprintf("%s (configuration %d)", name, config)
		}
		named[config], used[name] = name, true
	}
	return named
}

package machine

import (
	"fmt"
	"io/fs"
	"strings"
)

const thpFile = "sys/kernel/mm/transparent_hugepage/enabled"

// thp is transparent huge pages: what a first touch of the heap costs. The
// fixed profile leaves it alone: each of its values is one that machines run
// with in production, and none is quieter once the heap has been touched.
type thp struct{}

func (thp) Name() string { return "thp" }

func (thp) About() About {
	return About{
		Title: "transparent huge pages",
		Does:  "decides how the first touch of the heap is paid",
		Cost:  "where they are always on, invocations that got them differ from those that did not",
		Fixed: "",
	}
}

func (thp) Observe(root fs.FS, _ Placement) (State, error) {
	v, err := read(root, thpFile, "the kernel has none, or /sys does not tell it here")
	return State{Value: chosen(v)}, err
}

func (thp) Values() []string { return []string{"always", "madvise", "never"} }

func (k thp) Check(value string) (string, error) { return among(value, k.Values()) }

func (k thp) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	choice := line(root, thpFile)
	if choice != "" && !strings.Contains(" "+strings.NewReplacer("[", "", "]", "").Replace(choice)+" ", " "+value+" ") {
		return nil, fmt.Errorf("this kernel has no %s, only: %s", value, choice)
	}
	return unlessSo(k, root, on, value, Change{Path: thpFile, Value: value})
}

// Files implements Setter.
func (thp) Files() []string { return []string{thpFile} }

package machine

import (
	"io/fs"
	"strings"
)

// thp is transparent huge pages: what a first touch of the heap costs.
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
	v, err := read(root, "sys/kernel/mm/transparent_hugepage/enabled", "the kernel has none, or /sys does not tell it here")
	_, chosen, ok := strings.Cut(v, "[")
	if ok {
		v, _, _ = strings.Cut(chosen, "]")
	}
	return State{Value: v}, err
}

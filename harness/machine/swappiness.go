package machine

import "io/fs"

const swappinessFile = "proc/sys/vm/swappiness"

// swappiness is how readily the kernel moves memory of programs to disk. The
// fixed profile leaves it alone: it matters only where memory runs short, and
// there no value of it would save the measurement.
type swappiness struct{}

func (swappiness) Name() string { return "swappiness" }

func (swappiness) About() About {
	return About{
		Title: "swappiness",
		Does:  "decides how readily the kernel moves memory of programs to disk, rather than forget files that it has read",
		Cost:  "nothing as long as memory suffices; a heap that was moved out is read back while it is measured",
		Fixed: "",
	}
}

func (swappiness) Observe(root fs.FS, _ Placement) (State, error) {
	v, err := read(root, swappinessFile, "/proc does not tell it here")
	return State{Value: v}, err
}

// Values are examples: kernels take 0 to 200, before 5.8 up to 100.
func (swappiness) Values() []string { return []string{"0", "1", "60"} }

func (swappiness) Check(value string) (string, error) { return whole(value, 0, 200) }

func (k swappiness) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	return unlessSo(k, root, on, value, Change{Path: swappinessFile, Value: value})
}

// Files implements Setter.
func (swappiness) Files() []string { return []string{swappinessFile} }

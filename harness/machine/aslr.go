package machine

import "io/fs"

// aslr places the parts of a process at random addresses.
type aslr struct{}

func (aslr) Name() string { return "aslr" }

func (aslr) About() About {
	return About{
		Title: "address space randomisation",
		Does:  "places the parts of a process at random addresses",
		Cost:  "off, every invocation has the same layout, and the spread is falsely small",
		Fixed: "",
	}
}

func (aslr) Observe(root fs.FS, _ Placement) (State, error) {
	v, err := read(root, "proc/sys/kernel/randomize_va_space", "/proc does not tell it here")
	return named(v, map[string]string{"0": "off", "1": "on, heap excepted", "2": "on"}), err
}

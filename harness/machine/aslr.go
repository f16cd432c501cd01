package machine

import "io/fs"

// aslr places the parts of a process at random addresses.
type aslr struct{}

func (aslr) Name() string { return "address space randomisation" }

func (aslr) Observe(root fs.FS) (State, error) {
	v, err := read(root, "proc/sys/kernel/randomize_va_space", "/proc does not tell it here")
	return named(v, map[string]string{"0": "off", "1": "on, heap excepted", "2": "on"}), err
}

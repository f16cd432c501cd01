package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"golang.org/x/sys/unix"
)

// aslr places the parts of a process at random addresses. The fixed profile
// leaves it on: one layout for all invocations is a sample of one, whose spread
// is falsely small.
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

// addrNoRandomize is ADDR_NO_RANDOMIZE of personality(2).
const addrNoRandomize = 0x0040000

// Observe counts in how moobench itself was started: setarch -R is inherited.
func (aslr) Observe(root fs.FS, _ Placement) (State, error) {
	s, err := randomisation(root)
	if fixed, unknown := fixedAddresses(root, own); err == nil && unknown == nil && fixed {
		s.Value = "off"
	}
	return s, err
}

func (aslr) Of(root fs.FS, pid int) (State, error) {
	s, err := randomisation(root)
	if err != nil || s.Value == "off" { // for everybody, whatever the process says
		return s, err
	}
	fixed, err := fixedAddresses(root, strconv.Itoa(pid))
	if err != nil {
		return State{}, err
	}
	if fixed {
		s.Value = "off"
	}
	return s, nil
}

// randomisation is what the kernel does for all processes.
func randomisation(root fs.FS) (State, error) {
	v, err := read(root, "proc/sys/kernel/randomize_va_space", "/proc does not tell it here")
	return named(v, map[string]string{"0": "off", "1": "on, heap excepted", "2": "on"}), err
}

func fixedAddresses(root fs.FS, process string) (bool, error) {
	path := "proc/" + process + "/personality"
	v, err := read(root, path, "/"+path+" is not there")
	if err != nil {
		return false, err
	}
	bits, err := strconv.ParseUint(v, 16, 32)
	if err != nil {
		return false, fmt.Errorf("/%s says %q", path, v)
	}
	return bits&addrNoRandomize != 0, nil
}

func (aslr) Values() []string { return []string{"on", "off"} }

func (k aslr) Check(value string) (string, error) { return among(value, k.Values()) }

func (k aslr) Ask(s *Subject, value string) error {
	if value == "off" {
		if err := attempt(fixAddresses); err != nil {
			return fmt.Errorf("the kernel refused it (%w): a container's seccomp profile forbids personality(2)", err)
		}
		s.FixedAddresses = true
		return nil
	}
	// A subject runs on this machine, whatever tree is looked at.
	has, err := k.Observe(Root(), Placement{})
	if err == nil && has.Value != value {
		err = errors.New(has.Value + " for moobench itself and what it starts: start moobench without setarch -R, and as root: echo 2 > /proc/sys/kernel/randomize_va_space")
	}
	if err == nil {
		s.FixedAddresses = false
	}
	return err
}

func fixAddresses() error {
	if _, _, errno := unix.RawSyscall(unix.SYS_PERSONALITY, addrNoRandomize, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

package machine

import (
	"fmt"
	"io/fs"
	"strconv"

	"golang.org/x/sys/unix"
)

// nice is the weight of the subject against other processes on its CPU.
//
// The fixed profile leaves it alone, though others measure at -20. What it is
// to win, a CPU for the subject, the placement and the partition give more
// thoroughly, and what comes nevertheless is marked. Kernels that schedule by
// session or control group weigh it only against processes of the same one. And
// it would win over the kernel's own threads on that CPU as well, which carry
// what an agent sends and write what it logs, and on a shared CPU over our
// receivers: so it changes what is measured.
type nice struct{}

func (nice) Name() string { return "nice" }

func (nice) About() About {
	return About{
		Title: "nice value",
		Does:  "weighs the subject against other processes that want its CPU: -20 is the heaviest, 19 the lightest",
		Cost:  "at 0, another process on its CPU takes half of it; below, the subject also pushes back kernel threads and receivers that work for it",
		Fixed: "",
	}
}

func (k nice) Observe(root fs.FS, _ Placement) (State, error) { return k.of(root, own) }

func (k nice) Of(root fs.FS, pid int) (State, error) { return k.of(root, strconv.Itoa(pid)) }

func (nice) of(root fs.FS, process string) (State, error) {
	v, err := statField(root, process, 19)
	return State{Value: v}, err
}

func (nice) Values() []string { return []string{"-20", "0", "19"} }

func (nice) Check(value string) (string, error) { return whole(value, -20, 19) }

func (k nice) Ask(s *Subject, value string) error {
	value, err := k.Check(value)
	if err != nil {
		return err
	}
	n := integer(value, 0)
	if err := attempt(func() error { return unix.Setpriority(unix.PRIO_PROCESS, 0, n) }); denied(err) {
		return fmt.Errorf("the kernel refused it (%w): less than moobench itself has needs root, CAP_SYS_NICE, or a nice limit in /etc/security/limits.conf", err)
	} else if err != nil {
		return err
	}
	s.Nice = &n
	return nil
}

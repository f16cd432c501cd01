package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"golang.org/x/sys/unix"
)

// scheduling is the class of the subject's threads. The fixed profile leaves it
// alone: "batch" only changes who is woken first, and the real-time classes push
// back kernel threads that work for the subject.
type scheduling struct{}

func (scheduling) Name() string { return "scheduling" }

func (scheduling) About() About {
	return About{
		Title: "scheduling class",
		Does:  "decides who gets the CPU first: with fifo and rr the subject, before everything that is not real-time",
		Cost: "with other, any process may interrupt the subject; with fifo or rr (root only) it starves all others on its CPUs, kernel threads included: " +
			"with rt_throttling off it can hang the machine, with it on it is stopped for a twentieth of each second",
		Fixed: "",
	}
}

// The numbers of sched(7), as /proc shows them.
const schedulingField = 41

func (scheduling) of(root fs.FS, process string) (State, error) {
	v, err := statField(root, process, schedulingField)
	return named(v, map[string]string{
		"0": "other", "1": "fifo", "2": "rr", "3": "batch", "5": "idle", "6": "deadline", "7": "ext",
	}), err
}

func (k scheduling) Observe(root fs.FS, _ Placement) (State, error) { return k.of(root, own) }

func (k scheduling) Of(root fs.FS, pid int) (State, error) { return k.of(root, strconv.Itoa(pid)) }

func (scheduling) Values() []string { return []string{"other", "batch", "fifo", "rr"} }

func (k scheduling) Check(value string) (string, error) { return among(value, k.Values()) }

func (k scheduling) Ask(s *Subject, value string) error {
	value, err := k.Check(value)
	if err != nil {
		return err
	}
	policy := map[string]uint32{"other": unix.SCHED_NORMAL, "batch": unix.SCHED_BATCH, "fifo": unix.SCHED_FIFO, "rr": unix.SCHED_RR}[value]
	realTime := value == "fifo" || value == "rr"
	// A subject runs on this machine, whatever tree is looked at.
	if t, err := ReadTopology(Root()); realTime && err == nil && len(t) < 2 {
		return errors.New("there is one CPU: a real-time subject would leave moobench and its receivers none, and with rt_throttling off hang the machine")
	}
	if err := attempt(func() error { return setScheduling(policy, realTime) }); denied(err) {
		return fmt.Errorf("the kernel refused it (%w): fifo and rr need root or CAP_SYS_NICE, and a control group with real-time runtime", err)
	} else if err != nil {
		return err
	}
	s.Scheduling = value
	return nil
}

func setScheduling(policy uint32, realTime bool) error {
	attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: policy}
	if realTime {
		attr.Priority = 1
	} else if now, err := unix.SchedGetAttr(0, 0); err == nil {
		attr.Nice = now.Nice
	}
	return unix.SchedSetAttr(0, &attr, 0)
}

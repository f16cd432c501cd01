package knob

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/harness/proc"
	"moobench/refusal"
)

// own is moobench's own process below /proc: by default, a subject inherits moobench's attributes.
const own = "self"

// ofProcess completes a knob that is read from a process's files.
func ofProcess(read func(root fs.FS, process string) (string, error), k Knob) Knob {
	k.Observe = func(root fs.FS, _ cpu.Placement) (string, error) { return read(root, own) }
	k.readProcess = func(root fs.FS, pid int) (string, error) { return read(root, strconv.Itoa(pid)) }
	return k
}

// statField returns field n of /proc/<process>/stat, counted from 1 as in proc(5). The second field, the name, may
// contain anything, so parsing starts after the last parenthesis.
func statField(root fs.FS, process string, n int) (string, error) {
	stat, err := read(root, "proc/"+process+"/stat", "/proc/"+process+" is not there")
	if err != nil {
		return "", err
	}
	f := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(f) < n-2 {
		return "", fmt.Errorf("/proc/%s/stat has no field %d", process, n)
	}
	return f[n-3], nil
}

// attempt tries a change on a thread that ends immediately. This asks the kernel itself for permission, including
// rights, limits and containers, and leaves nothing changed.
func attempt(set func() (restore func(), err error)) error {
	done := make(chan error)
	proc.OffMain(func() {
		_, err := set()
		done <- err
	})
	return <-done
}

// refusedFor adds the necessary right to an error for lack of permission.
func refusedFor(err error, rights string) error {
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		return fmt.Errorf("the kernel refused it (%w): %s", err, rights)
	}
	return err
}

// aslrOf considers how a process was started, since setarch -R is inherited. If that is unknown for moobench
// itself, the system-wide setting counts.
func aslrOf(root fs.FS, process string) (string, error) {
	v, err := read(root, "proc/sys/kernel/randomize_va_space", noProc)
	v = inWords(v, map[string]string{"0": "off", "1": "on, heap excepted", "2": "on"})
	if err != nil || v == "off" { // holds for every process
		return v, err
	}
	path := "proc/" + process + "/personality"
	said, err := read(root, path, "/"+path+" is not there")
	bits, invalid := strconv.ParseUint(said, 16, 32)
	if err == nil && invalid != nil {
		err = fmt.Errorf("/%s says %q", path, said)
	}
	switch {
	case err != nil && process != own:
		return "", err
	case err == nil && bits&addrNoRandomize != 0:
		return "off", nil
	}
	return v, nil
}

func askASLR(s *Subject, value string) error {
	if value == "off" {
		if err := attempt(FixAddresses); err != nil {
			return fmt.Errorf("the kernel refused it (%w): a container's seccomp profile forbids personality(2)", err)
		}
		s.FixedAddresses = true
		return nil
	}
	// A subject runs on this machine, whichever tree is being observed.
	has, err := aslrOf(kernel.Root(), own)
	switch {
	case err != nil:
		return err
	case has != value:
		return refusal.New(errors.New(has+" for moobench itself and what it starts"),
			"start moobench without setarch -R, and as root: echo 2 > /proc/sys/kernel/randomize_va_space")
	}
	s.FixedAddresses = false
	return nil
}

func niceOf(root fs.FS, process string) (string, error) { return statField(root, process, 19) }

var checkNice = integer(-20, 19)

func askNice(s *Subject, value string) error {
	value, err := checkNice(value)
	if err != nil {
		return err
	}
	n := kernel.Int(value, 0)
	if err := attempt(func() (func(), error) { return SetNice(n) }); err != nil {
		return refusedFor(err, "less than moobench itself has needs root, CAP_SYS_NICE, "+
			"or a nice limit in /etc/security/limits.conf")
	}
	s.Nice = &n
	return nil
}

// schedulingOf translates the class numbers of sched(7), as /proc shows them.
func schedulingOf(root fs.FS, process string) (string, error) {
	v, err := statField(root, process, 41)
	classes := map[string]string{
		"0": "other", "1": "fifo", "2": "rr", "3": "batch", "5": "idle", "6": "deadline", "7": "ext",
	}
	return inWords(v, classes), err
}

func askScheduling(s *Subject, value string) error {
	// A subject runs on this machine, whichever tree is being observed.
	if t, err := cpu.ReadTopology(kernel.Root()); isRealTime(value) && err == nil && len(t) < 2 {
		return errors.New("there is one CPU: a real-time subject would leave moobench and its receivers none, " +
			"and with rt_throttling off hang the machine")
	}
	if err := attempt(func() (func(), error) { return SetScheduling(value) }); err != nil {
		return refusedFor(err, "fifo and rr need root or CAP_SYS_NICE, and a control group with real-time runtime")
	}
	s.Scheduling = value
	return nil
}

const unlimited = "unlimited"

// memlockOf returns the soft limit, which is the one in force.
func memlockOf(root fs.FS, process string) (string, error) {
	path := "proc/" + process + "/limits"
	limits, err := read(root, path, "/"+path+" is not there")
	if err != nil {
		return "", err
	}
	soft, _, _ := strings.Cut(kernel.After(limits, "Max locked memory "), " ")
	if soft == "" {
		return "", fmt.Errorf("/%s does not show it", path)
	}
	if n, err := strconv.ParseInt(soft, 10, 64); err == nil {
		soft = formatSize(n)
	}
	return soft, nil // unlimited, if it is not a number
}

// askMemlock asks the kernel by raising our own hard limit, which has no effect, and lowering it again, which is
// always allowed.
func askMemlock(s *Subject, value string) error {
	bytes, err := parseSize(value)
	if err != nil {
		return err
	}
	limit := uint64(bytes) // -1 becomes RLIM_INFINITY
	var now unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_MEMLOCK, &now); err != nil {
		return fmt.Errorf("reading moobench's own limit: %w", err)
	}
	if limit > now.Max {
		if err := unix.Setrlimit(unix.RLIMIT_MEMLOCK, &unix.Rlimit{Cur: now.Cur, Max: limit}); err != nil {
			return fmt.Errorf("the kernel refused it (%w): moobench itself may lock %s, more needs root, "+
				"CAP_SYS_RESOURCE, or a memlock limit in /etc/security/limits.conf", err, formatSize(int64(now.Max)))
		}
		if err := unix.Setrlimit(unix.RLIMIT_MEMLOCK, &now); err != nil {
			return err
		}
	}
	s.LockableBytes = &bytes
	return nil
}

// sizeUnits are in descending order.
var sizeUnits = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// parseSize parses a whole number of bytes, KiB, MiB or GiB; -1: unlimited.
func parseSize(text string) (int64, error) {
	if text = strings.TrimSpace(text); text == unlimited {
		return -1, nil
	}
	for _, unit := range sizeUnits {
		digits, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 0 || n > (1<<63-1)/unit.bytes {
			break
		}
		return n * unit.bytes, nil
	}
	return 0, errors.New(`want a size such as "64MiB" (B, KiB, MiB, GiB), or "unlimited", not "` + text + `"`)
}

// formatSize is the inverse of parseSize, in the largest unit that gives a whole number.
func formatSize(n int64) string {
	if n < 0 {
		return unlimited
	}
	for _, unit := range sizeUnits {
		if n != 0 && n%unit.bytes == 0 {
			return strconv.FormatInt(n/unit.bytes, 10) + unit.name
		}
	}
	return "0B"
}

package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// memlock is how much memory the subject may lock, so that it stays in RAM. The
// fixed profile leaves it alone: a JVM locks nothing unless its options or an
// agent say so.
type memlock struct{}

func (memlock) Name() string { return "memlock" }

func (memlock) About() About {
	return About{
		Title: "lockable memory",
		Does:  "limits how much memory the subject may keep from being swapped out; with CAP_IPC_LOCK, which root mostly has, nothing is limited",
		Cost:  "nothing, unless the JVM or an agent locks memory: huge pages, off-heap buffers, io_uring on older kernels",
		Fixed: "",
	}
}

const unlimited = "unlimited"

// of is the limit that counts, the soft one.
func (memlock) of(root fs.FS, process string) (State, error) {
	path := "proc/" + process + "/limits"
	limits, err := read(root, path, "/"+path+" is not there")
	if err != nil {
		return State{}, err
	}
	for l := range strings.Lines(limits) {
		rest, ok := strings.CutPrefix(l, "Max locked memory ")
		f := strings.Fields(rest)
		if !ok || len(f) == 0 {
			continue
		}
		if n, err := strconv.ParseInt(f[0], 10, 64); err == nil {
			return State{Value: formatSize(n)}, nil
		}
		return State{Value: f[0]}, nil // unlimited
	}
	return State{}, fmt.Errorf("/%s does not tell it", path)
}

func (k memlock) Observe(root fs.FS, _ Placement) (State, error) { return k.of(root, own) }

func (k memlock) Of(root fs.FS, pid int) (State, error) { return k.of(root, strconv.Itoa(pid)) }

func (memlock) Values() []string { return []string{"64MiB", unlimited} }

func (memlock) Check(value string) (string, error) {
	if value = strings.TrimSpace(value); value == unlimited {
		return value, nil
	}
	n, err := parseSize(value)
	if err != nil {
		return "", err
	}
	return formatSize(n), nil
}

func (k memlock) Ask(s *Subject, value string) error {
	value, err := k.Check(value)
	if err != nil {
		return err
	}
	bytes, limit := int64(-1), uint64(unix.RLIM_INFINITY)
	if value != unlimited {
		bytes, _ = parseSize(value) // it was checked
		limit = uint64(bytes)
	}
	if err := lockable(limit); err != nil {
		return err
	}
	s.LockableBytes = &bytes
	return nil
}

// lockable says why a limit can't be had. The kernel is asked by raising our own
// hard limit, which binds nobody, and lowering it again, which is always allowed.
func lockable(limit uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_MEMLOCK, &now); err != nil {
		return fmt.Errorf("reading moobench's own limit: %w", err)
	}
	if limit <= now.Max {
		return nil
	}
	raised := unix.Rlimit{Cur: now.Cur, Max: limit}
	if err := unix.Setrlimit(unix.RLIMIT_MEMLOCK, &raised); err != nil {
		return fmt.Errorf("the kernel refused it (%w): moobench itself may lock %s, more needs root, CAP_SYS_RESOURCE, or a memlock limit in /etc/security/limits.conf", err, formatSize(int64(now.Max)))
	}
	return unix.Setrlimit(unix.RLIMIT_MEMLOCK, &now)
}

// sizeUnits are the largest first.
func sizeUnits() []string { return []string{"GiB", "MiB", "KiB", "B"} }

func unitBytes(i int) int64 { return 1 << (10 * (3 - i)) }

// parseSize reads a whole number of bytes, KiB, MiB or GiB.
func parseSize(text string) (int64, error) {
	for i, unit := range sizeUnits() {
		digits, ok := strings.CutSuffix(text, unit)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/unitBytes(i) {
			break
		}
		return n * unitBytes(i), nil
	}
	return 0, errors.New(`want a size such as "64MiB" (B, KiB, MiB, GiB), or "unlimited", not "` + text + `"`)
}

// formatSize is the inverse of parseSize, with the largest unit that fits.
func formatSize(n int64) string {
	for i, unit := range sizeUnits() {
		if size := unitBytes(i); n != 0 && n%size == 0 {
			return strconv.FormatInt(n/size, 10) + unit
		}
	}
	return "0B"
}

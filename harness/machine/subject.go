package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// own is moobench's own process below /proc: a subject that asks for nothing
// gets what moobench itself was started with.
const own = "self"

// ReadSubject reads what a living process got of the knobs that are its own:
// name → value, and "cpus", the CPUs that it may use. What can't be read is
// absent.
func ReadSubject(root fs.FS, pid int) map[string]string {
	got := map[string]string{}
	if cpus := value(text(root, "proc/"+strconv.Itoa(pid)+"/status"), "Cpus_allowed_list"); cpus != "" {
		got["cpus"] = cpus
	}
	for _, k := range Knobs() {
		p, ok := k.(Personal)
		if !ok {
			continue
		}
		if s, err := p.Of(root, pid); err == nil && s.Value != "" {
			got[k.Name()] = s.Value
		}
	}
	return got
}

// statField is field n of /proc/<process>/stat, counted from 1 as in proc(5).
// The second one, the name, may hold anything, so counting starts behind its
// last parenthesis.
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

// attempt does something to a thread that ends at once: so the kernel itself is
// asked whether it may be done, with all that decides it (rights, limits,
// containers), and nothing stays changed. The main thread never ends, and is
// not used.
func attempt(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		if unix.Gettid() != unix.Getpid() {
			done <- f()
			return
		}
		done <- attempt(f)
		runtime.UnlockOSThread()
	}()
	return <-done
}

// denied reports that it is a question of rights.
func denied(err error) bool { return errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) }

package knob

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

// Threads describes where and how the threads of a process run: per attribute ("cpus", "nice", "scheduling"), the
// sorted distinct values. Unreadable attributes are absent.
type Threads map[string][]string

// The attributes in Threads.
const threadCPUs, threadNice, threadScheduling = "cpus", "nice", "scheduling"

// ReadThreads reads the Threads of a living process.
func ReadThreads(root fs.FS, pid int) Threads {
	root = lookAt(root)
	found := map[string]map[string]bool{threadCPUs: {}, threadNice: {}, threadScheduling: {}}
	dirs, _ := fs.ReadDir(root, fmt.Sprintf("proc/%d/task", pid)) // an error means gone or hidden: nothing is known
	for _, dir := range dirs {
		thread := fmt.Sprintf("%d/task/%s", pid, dir.Name())
		if cpus := kernel.Value(kernel.Text(root, "proc/"+thread+"/status"), "Cpus_allowed_list"); cpus != "" {
			found[threadCPUs][cpus] = true
		}
		if v, err := niceOf(root, thread); err == nil {
			found[threadNice][v] = true
		}
		if v, err := schedulingOf(root, thread); err == nil && v != "" {
			found[threadScheduling][v] = true
		}
	}
	t := Threads{}
	for name, values := range found {
		if len(values) > 0 {
			t[name] = slices.Sorted(maps.Keys(values))
		}
	}
	return t
}

// Changed describes in words how a later reading differs, or returns "". Attributes unknown in either do not
// differ.
func (t Threads) Changed(now Threads) string {
	var words []string
	for _, one := range []struct{ name, says, were string }{
		{threadCPUs, "CPUs", "were"}, {threadNice, "nice value", "was"}, {threadScheduling, "scheduling class", "was"},
	} {
		was, is := t[one.name], now[one.name]
		if len(was) == 0 || len(is) == 0 || slices.Equal(was, is) {
			continue
		}
		says := "its " + one.says
		if len(words) == 0 {
			says += " " + one.were + " changed while it ran"
		}
		words = append(words, fmt.Sprintf("%s: from %s to %s",
			says, strings.Join(was, " and "), strings.Join(is, " and ")))
	}
	return strings.Join(words, ", and ")
}

// PutBack gives all threads of this process their earlier attributes, where these were the same for all threads.
// The kernel may refuse a lower nice value or a better class without root.
func (t Threads) PutBack() error {
	var errs []error
	one := func(name string, set func(value string, tid int) error) {
		if len(t[name]) != 1 {
			return
		}
		threads, err := os.ReadDir("/proc/self/task")
		for _, thread := range threads {
			tid, _ := strconv.Atoi(thread.Name()) // the kernel's name is a number
			if failed := set(t[name][0], tid); err == nil && !errors.Is(failed, unix.ESRCH) {
				err = failed
			}
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	one(threadScheduling, func(value string, tid int) error {
		policy, ok := schedulingPolicies[value]
		if now, err := unix.SchedGetAttr(tid, 0); !ok || err != nil || now.Policy == policy || isRealTime(value) {
			return err
		}
		return unix.SchedSetAttr(tid, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: policy}, 0)
	})
	one(threadNice, func(value string, tid int) error {
		return unix.Setpriority(unix.PRIO_PROCESS, tid, kernel.Int(value, 0))
	})
	if len(t[threadCPUs]) == 1 {
		cpus, err := cpu.Parse(t[threadCPUs][0])
		if err == nil {
			err = cpu.SetSelf(cpus)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

package machine

import "io/fs"

// The files of the watchdogs: the first one is on when either of the others
// is, and switches both.
const (
	watchdogFile     = "proc/sys/kernel/watchdog"
	nmiWatchdogFile  = "proc/sys/kernel/nmi_watchdog"
	softWatchdogFile = "proc/sys/kernel/soft_watchdog"
)

// watchdog finds CPUs that are stuck in the kernel.
type watchdog struct{}

func (watchdog) Name() string { return "watchdog" }

func (watchdog) About() About {
	return About{
		Title: "kernel watchdog",
		Does:  "looks for CPUs that are stuck, with a timer and a hardware counter on each of them",
		Cost:  "it interrupts the measured CPUs every few seconds",
		Fixed: "off",
	}
}

func (watchdog) Observe(root fs.FS, _ Placement) (State, error) {
	v, err := read(root, watchdogPath(root), "the kernel has none, or /proc does not tell it here")
	return named(v, map[string]string{"0": "off", "1": "on"}), err
}

// watchdogPath is the switch of both, or that of the only one there is.
func watchdogPath(root fs.FS) string {
	if line(root, watchdogFile) == "" && line(root, nmiWatchdogFile) != "" {
		return nmiWatchdogFile
	}
	return watchdogFile
}

func (watchdog) Values() []string { return []string{"on", "off"} }

func (k watchdog) Check(value string) (string, error) { return among(value, k.Values()) }

func (k watchdog) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	path := watchdogPath(root)
	var changes []Change
	for _, alters := range []string{nmiWatchdogFile, softWatchdogFile} {
		if path == watchdogFile && line(root, alters) != "" {
			changes = append(changes, Change{Path: alters, Kind: ChangeGuard})
		}
	}
	return unlessSo(k, root, on, value, append(changes, Change{Path: path, Value: zeroOne(value == "on")})...)
}

// Files implements Setter.
func (watchdog) Files() []string { return []string{watchdogFile, nmiWatchdogFile, softWatchdogFile} }

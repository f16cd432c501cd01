package machine

import (
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
)

// power is what the machine runs on, "" where nothing tells.
func power(root fs.FS) string {
	const dir = "sys/class/power_supply"
	supplies, err := fs.ReadDir(root, dir)
	if err != nil {
		return ""
	}
	found := ""
	for _, s := range supplies {
		supply := dir + "/" + s.Name()
		if line(root, supply+"/scope") == "Device" {
			continue // the battery of a mouse
		}
		switch line(root, supply+"/type") {
		case "Battery":
			if found == "" && line(root, supply+"/status") == "Discharging" {
				found = "battery"
			}
		case "Mains", "USB":
			if line(root, supply+"/online") == "1" {
				found = "mains"
			}
		}
	}
	return found
}

func celsius(c float64) string {
	if math.IsNaN(c) {
		return ""
	}
	return fmt.Sprintf("%.0f °C", c)
}

// load is how many threads were running or waiting for a disk, on average.
func load(root fs.FS) string {
	f := strings.Fields(line(root, "proc/loadavg"))
	if len(f) < 3 {
		return ""
	}
	return fmt.Sprintf("%s in 1 min, %s in 5 min, %s in 15 min", f[0], f[1], f[2])
}

// Load is how busy a machine is; NaN is not known.
type Load struct {
	Tasks          float64 // that ran, or waited for a disk, on average over the last minute
	WaitingPercent float64 // of the last 10 s, in which some task waited for a CPU
}

// ReadLoad reads what the kernel averages anyway.
func ReadLoad(root fs.FS) Load {
	minute, _, _ := strings.Cut(line(root, "proc/loadavg"), " ")
	l := Load{Tasks: number(minute), WaitingPercent: math.NaN()}
	first, _, _ := strings.Cut(text(root, "proc/pressure/cpu"), "\n")
	for _, word := range strings.Fields(first) {
		if share, ok := strings.CutPrefix(word, "avg10="); ok {
			l.WaitingPercent = number(share)
		}
	}
	return l
}

// steal is how long the host has kept all CPUs together waiting, "" when it
// never did.
func steal(root fs.FS) string {
	all, _, _ := strings.Cut(text(root, "proc/stat"), "\n")
	f := strings.Fields(all)
	if len(f) < 9 || f[0] != "cpu" {
		return ""
	}
	if ns := ticks(f[8:9])[0]; ns > 0 {
		return fmt.Sprintf("%.1f s since the machine was started", ns/1e9)
	}
	return ""
}

// swap is how much memory can be moved to disk, and how much is.
func swap(root fs.FS) string {
	info := text(root, "proc/meminfo")
	total, free := kibibytes(info, "SwapTotal"), kibibytes(info, "SwapFree")
	switch {
	case total < 0:
		return ""
	case total == 0:
		return "none"
	}
	return fmt.Sprintf("%d MiB, %d MiB in use", total>>10, (total-max(0, free))>>10)
}

// hugePages are those that are set aside for programs that ask for them, such
// as a JVM with UseLargePages.
func hugePages(root fs.FS) string {
	info := text(root, "proc/meminfo")
	if n := integer(value(info, "HugePages_Total"), 0); n > 0 {
		return fmt.Sprintf("%d of %s", n, value(info, "Hugepagesize"))
	}
	return ""
}

// kibibytes is -1 when it is not known.
func kibibytes(meminfo, key string) int {
	n, _, _ := strings.Cut(value(meminfo, key), " ")
	return integer(n, -1)
}

// kernelConfig is how the kernel was built, nil where it doesn't tell.
func kernelConfig(root fs.FS) map[string]string {
	built := text(root, "boot/config-"+line(root, "proc/sys/kernel/osrelease"))
	if built == "" {
		built = unpacked(root, "proc/config.gz")
	}
	config := map[string]string{}
	for l := range strings.Lines(built) {
		if key, v, ok := strings.Cut(strings.TrimSpace(l), "="); ok {
			config[key] = v
		}
	}
	return config
}

func unpacked(root fs.FS, path string) string {
	f, err := root.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return ""
	}
	const most = 4 << 20 // ten times what there is
	b, err := io.ReadAll(io.LimitReader(z, most))
	if err != nil {
		return ""
	}
	return string(b)
}

func hertz(config map[string]string) string {
	if hz := config["CONFIG_HZ"]; hz != "" {
		return hz + " Hz"
	}
	return ""
}

// preemption is when the kernel interrupts itself. One that can choose says
// what it chose only to root; else it is as it was booted, or built.
func preemption(root fs.FS, config map[string]string) string {
	if _, choice, ok := strings.Cut(line(root, "sys/kernel/debug/sched/preempt"), "("); ok {
		choice, _, _ = strings.Cut(choice, ")")
		return choice
	}
	if config["CONFIG_PREEMPT_RT"] == "y" || line(root, "sys/kernel/realtime") == "1" {
		return "real time"
	}
	if asked := bootOption(root, "preempt"); asked != "" {
		return asked
	}
	for _, model := range []string{"NONE", "VOLUNTARY", "LAZY"} {
		if config["CONFIG_PREEMPT_"+model] == "y" {
			return strings.ToLower(model)
		}
	}
	version := strings.Fields(line(root, "proc/sys/kernel/version"))
	if config["CONFIG_PREEMPT"] == "y" || slices.Contains(version, "PREEMPT") {
		return "full"
	}
	return ""
}

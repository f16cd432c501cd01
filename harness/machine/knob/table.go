package knob

import (
	"io/fs"
	"math"
	"slices"
	"strconv"

	"moobench/harness/machine/cpu"
)

// Reasons why a setting is unknown.
const noProc, noneOrNoProc = "/proc does not show it here", "the kernel has none, or /proc does not show it here"

// All returns the knobs that moobench knows, in the order in which they are set: knobs that take CPUs away come
// first, and knobs that decide the range of another come before it. MACHINE.md has a section on each.
func All() []Knob {
	all := slices.Concat(cpuKnobs(), memoryKnobs(), kernelKnobs(), subjectKnobs())
	for i, k := range all {
		if k.Check == nil && k.Values != nil {
			all[i].Check = among(k.Values...)
		}
		if k.Changes == nil {
			continue
		}
		all[i].Changes = func(root fs.FS, on cpu.Placement, value string) ([]Change, error) {
			found, err := k.Observe(root, on) // a knob without a state can't be set
			if err != nil || found == value {
				return nil, err
			}
			return k.Changes(root, on, value)
		}
	}
	return all
}

func onOff() []string { return []string{"on", "off"} }

// cpuKnobs determine which CPUs there are, how fast they run and how deeply they sleep.
func cpuKnobs() []Knob {
	// "scaling" stands for any that follows the load; the others are the kernel's names.
	governors := []string{"performance", "scaling", "powersave", "schedutil", "ondemand", "conservative"}
	// The kernel's, except "default", whose meaning can't be read back.
	preferences := []string{"performance", "balance_performance", "balance_power", "power"}
	return []Knob{
		{
			Name: "smt", Title: "simultaneous multithreading", Does: "lets two logical CPUs share a core",
			Cost:  "what runs on the sibling slows the measured CPU by up to a half",
			Fixed: "off", Values: onOff(), Observe: observeSMT, Changes: changeSMT,
			// They include files that vanish together with CPUs.
			Files: slices.Concat(
				ofDomains("scaling_max_freq", "scaling_min_freq", "boost", "scaling_governor"), lostFiles(),
				[]string{smtControl, idleFiles, irqFiles, cpu.Dir + "/cpu[0-9]*/online"}),
		},
		{
			Name: "turbo", Title: "turbo", Does: "raises the frequency for as long as heat and the other cores allow",
			Cost:  "what is measured first runs faster than what is measured hot",
			Fixed: "off", Chief: "governor", Values: onOff(),
			Observe: observeTurbo, Changes: changeTurbo,
			// Without turbo the kernel cuts the limits, and does not always widen them again afterwards.
			Files: append(ofDomains("boost", "scaling_max_freq", "scaling_min_freq"), noTurbo, boostAll, leastPerf),
		},
		{
			Name: "governor", Title: "frequency governor", Does: "decides the frequency by the load",
			Cost:  "a CPU that has just woken up is slow, and the first calls of every invocation are too slow",
			Fixed: "performance", Chief: "governor", Values: governors,
			Observe: different("scaling_governor"), resolve: resolveGovernor, Changes: changeGovernor,
			Files: append(ofDomains("scaling_governor"), lostFiles()...),
		},
		{
			Name: "energy_preference", Title: "energy preference",
			Does:  "tells a processor that decides its frequency itself to prefer speed or saving",
			Cost:  "a processor that saves is slow to speed up after every pause",
			Fixed: "performance", Chief: "governor", Values: preferences,
			Observe: observeEnergyPreference, Changes: changeEnergyPreference,
			Files: ofDomains("energy_performance_preference"),
		},
		frequencyLimit{file: "scaling_max_freq", other: "scaling_min_freq"}.setting(Knob{
			Name: "max_frequency", Title: "highest frequency",
			Does: "is the frequency above which the governor does not go",
			Cost: "above the base frequency, heat and the other cores decide what is reached",
		}),
		frequencyLimit{file: "scaling_min_freq", other: "scaling_max_freq", lowest: true}.setting(Knob{
			Name: "min_frequency", Title: "lowest frequency",
			Does: "is the frequency below which the governor does not go",
			Cost: "with a governor that follows the load, a CPU that has waited starts that slow",
		}),
		{
			Name: "cstates", Title: "idle states", Does: "lets a CPU that waits sleep deep, and so wake late",
			Cost: "a thread that waits for another pays up to hundreds of µs each time, " +
				"and one variant waits more than another",
			Fixed: "shallow", Chief: "cstates", Values: []string{"all", "shallow"},
			Observe: observeIdle, resolve: resolveIdle, Changes: changeIdle, Files: []string{idleFiles},
		},
		{
			Name: "dma_latency", Title: "wake-up latency",
			Does: "limits how long any CPU may take to wake, for as long as moobench runs",
			Cost: "as for cstates, which does it for the measured CPUs alone; " +
				"at 0us no CPU sleeps at all, and all grow hot",
			Drifts: true, Chief: "cstates",
			Values: []string{"0us", "10us"}, Check: canonical(parseLatency, microseconds),
			Observe: observeLatency, resolve: resolveLatency, Hold: holdLatency, Files: []string{latencyFile},
		},
	}
}

// memoryKnobs determine how the kernel treats a program's memory.
func memoryKnobs() []Knob {
	return []Knob{
		// The fixed profile leaves it alone: each value is in use on production machines, and none is quieter once
		// the heap has been touched.
		fileKnob{
			path:   "sys/kernel/mm/transparent_hugepage/enabled",
			absent: "the kernel has none, or /sys does not show it here",
		}.setting(Knob{
			Name: "thp", Title: "transparent huge pages", Does: "decides how the first touch of the heap is paid",
			Cost:   "where they are always on, invocations that got them differ from those that did not",
			Values: []string{"always", "madvise", "never"},
		}),
		// The fixed profile leaves it alone: it matters only if memory runs short, and then no value would save
		// the measurement. Kernels accept 0 to 200, before 5.8 up to 100.
		fileKnob{path: "proc/sys/vm/swappiness", absent: noProc}.setting(Knob{
			Name: "swappiness", Title: "swappiness",
			Does: "decides how readily the kernel moves memory of programs to disk, " +
				"rather than forget files that it has read",
			Cost:   "nothing as long as memory suffices; a heap that was moved out is read back while it is measured",
			Values: []string{"0", "1", "60"}, Check: integer(0, 200),
		}),
		// A bit mask: 1 moves memory to the processors that use it, 2 moves cold memory to slow memory.
		fileKnob{
			path: "proc/sys/kernel/numa_balancing", absent: noneOrNoProc,
			words: map[string]string{"0": "off", "1": "on", "2": "memory tiering", "3": "on, with memory tiering"},
		}.setting(Knob{
			Name: "numa_balancing", Title: "NUMA balancing",
			Does:  "takes pages away from programs for a moment to see who uses them, and moves them there",
			Cost:  "page faults that the program did not cause, at times of the kernel's choosing",
			Fixed: "off", Values: onOff(),
		}),
	}
}

// kernelKnobs determine what else runs on the measured CPUs, and how the kernel was booted.
func kernelKnobs() []Knob {
	return []Knob{
		// The first file reads as on if either of the others does, and switches both.
		fileKnob{
			path: "proc/sys/kernel/watchdog", fallback: "proc/sys/kernel/nmi_watchdog", absent: noneOrNoProc,
			words: map[string]string{"0": "off", "1": "on"},
			moves: []string{"proc/sys/kernel/nmi_watchdog", "proc/sys/kernel/soft_watchdog"},
		}.setting(Knob{
			Name: "watchdog", Title: "kernel watchdog",
			Does:  "looks for CPUs that are stuck, with a timer and a hardware counter on each of them",
			Cost:  "it interrupts the measured CPUs every few seconds",
			Fixed: "off", Values: onOff(),
		}),
		// In samples per second. The kernel itself lowers it if its interrupts take too long.
		fileKnob{
			path:   "proc/sys/kernel/perf_event_max_sample_rate",
			absent: "the kernel has no perf events, or /proc does not show it here", refuses: noPerfRate,
		}.setting(Knob{
			Name: "perf_rate", Title: "perf sampling rate",
			Does:  "bounds how many times a second profilers may interrupt a CPU",
			Cost:  "a profiler that is left running can interrupt the measured CPUs up to that often",
			Fixed: "1", Drifts: true, Values: []string{"1", "100000"}, Check: integer(1, math.MaxInt32),
		}),
		// It reserves a share of each period for threads that are not real-time.
		fileKnob{
			path: "proc/sys/kernel/sched_rt_runtime_us", absent: noProc,
			words: map[string]string{"-1": "off"}, text: rtThrottlingText,
			say: func(text string) string {
				if us, err := strconv.Atoi(text); err == nil && us >= 0 {
					return "on"
				}
				return text
			},
		}.setting(Knob{
			Name: "rt_throttling", Title: "real-time throttling",
			Does: "stops real-time threads for a twentieth of each second, so that they can't lock everybody out",
			Cost: "nothing, unless the subject runs with scheduling fifo or rr: " +
				"then it is stopped in the middle of its calls",
			Values: onOff(),
		}),
		{
			Name: "irqs", Title: "interrupts of devices",
			Does:   "decides which CPUs are interrupted by disks, network cards and the like",
			Cost:   "each one stops the subject, evicts some of its cache, and comes when others cause it",
			Fixed:  irqsAway,
			Drifts: true, // irqbalance moves interrupts
			Values: []string{irqsAway}, Observe: observeIRQs, Changes: changeIRQs,
			Files: []string{defaultIRQFile, irqFiles},
		},
		{
			Name: "cpuset", Title: "CPU partition",
			Does: "takes the measured CPUs, and those that share a core with them, " +
				"away from everybody but the subject",
			Cost:  "any process of the machine may run on the measured CPUs",
			Fixed: cpusetIsolated, Values: []string{cpusetIsolated, cpusetNone},
			Observe: observeCpuset, Changes: changeCpuset, Files: cpusetFiles(), Group: cpusetGroup,
		},
		// All but tsc (and arch_sys_counter on Arm) are several times slower.
		{
			Name: "clocksource", Title: "clock source", Does: "decides what reading the time costs",
			Cost: "every sample holds two readings: all clocks but tsc are several times slower",
			Observe: fileKnob{
				path:   "sys/devices/system/clocksource/clocksource0/current_clocksource",
				absent: "/sys does not show it here",
			}.observe,
		},
		// Chosen when the kernel boots.
		{
			Name: "mitigations", Title: "mitigations of CPU vulnerabilities",
			Does: "makes system calls, page faults and indirect calls slower, " +
				"so that programs can't spy on each other",
			Cost:    "figures of machines that differ in them can't be compared; the boot option mitigations= decides",
			Observe: mitigations,
		},
	}
}

// subjectKnobs are settings of the subject's process.
func subjectKnobs() []Knob {
	return []Knob{
		// The fixed profile leaves it on: with one layout, all invocations are a sample of one, and the spread is
		// too small.
		ofProcess(aslrOf, Knob{
			Name: "aslr", Title: "address space randomisation",
			Does:    "places the parts of a process at random addresses",
			Cost:    "off, every invocation has the same layout, and the spread is falsely small",
			Harmful: "off", Cure: "echo 2 | sudo tee /proc/sys/kernel/randomize_va_space",
			Values: onOff(), Ask: askASLR,
		}),
		// The fixed profile leaves it alone, although others measure at -20. Its purpose, a CPU for the subject
		// alone, is better served by the placement and the partition, and any remaining disturbance is flagged.
		// Kernels that schedule by session or control group weigh it only against processes of the same one. And
		// it would favour the subject over kernel threads on that CPU which carry an agent's network traffic and
		// write its logs, and on a shared CPU over our receivers: it would change the quantity measured.
		ofProcess(niceOf, Knob{
			Name: "nice", Title: "nice value",
			Does: "weighs the subject against other processes that want its CPU: " +
				"-20 is the heaviest, 19 the lightest",
			Cost: "at 0, another process on its CPU takes half of it; below, the subject also pushes back " +
				"kernel threads and receivers that work for it",
			Values: []string{"-20", "0", "19"}, Check: checkNice, Ask: askNice,
		}),
		// The fixed profile leaves it alone: "batch" only changes who is woken first, and the real-time classes
		// delay kernel threads that work for the subject.
		ofProcess(schedulingOf, Knob{
			Name: "scheduling", Title: "scheduling class",
			Does: "decides who gets the CPU first: with fifo and rr the subject, " +
				"before everything that is not real-time",
			Cost: "with other, any process may interrupt the subject; with fifo or rr (root only) " +
				"it starves all others on its CPUs, kernel threads included: " +
				"with rt_throttling off it can hang the machine, " +
				"with it on it is stopped for a twentieth of each second",
			Values: []string{"other", "batch", "fifo", "rr"}, Ask: askScheduling,
		}),
		// The fixed profile leaves it alone: a JVM locks no memory unless its options or an agent say so.
		ofProcess(memlockOf, Knob{
			Name: "memlock", Title: "lockable memory",
			Does: "limits how much memory the subject may keep from being swapped out; " +
				"with CAP_IPC_LOCK, which root mostly has, nothing is limited",
			Cost: "nothing, unless the JVM or an agent locks memory: " +
				"huge pages, off-heap buffers, io_uring on older kernels",
			Values: []string{"64MiB", unlimited}, Check: canonical(parseSize, formatSize), Ask: askMemlock,
		}),
	}
}

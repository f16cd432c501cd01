package watch

import (
	"math"
	"testing"

	"moobench/harness/machine/cpu"
)

func TestColumns(t *testing.T) {
	// CPU 1 is offline, and has no column.
	const intel = "           CPU0       CPU2\n  0:  5  7  IO-APIC  2-edge  timer\nLOC:  100  200  Local timer interrupts\nERR:  9\nMIS:  0\n"
	all, timers := columns(intel)
	if all[0] != 105 || all[2] != 207 || timers[0] != 100 || timers[2] != 200 || len(all) != 2 {
		t.Errorf("%v, %v", all, timers)
	}
	const arm = "     CPU0  CPU1\n 11:  30  40  GICv3  27 Level  arch_timer\nIPI0:  1  2  Rescheduling interrupts\n"
	all, timers = columns(arm)
	if all[1] != 42 || timers[1] != 40 {
		t.Errorf("%v, %v", all, timers)
	}
	for _, table := range []string{"", "nonsense here\n1 2 3\n", "CPU0 CPU1\n1: 2\n"} {
		if all, _ := columns(table); len(all) > 0 && table[0] != 'n' {
			t.Errorf("%q: %v", table, all)
		}
	}
}

func TestCountsOfMissingCPU(t *testing.T) {
	root := files(map[string]string{
		"proc/interrupts": "  CPU0\nLOC: 7", "proc/softirqs": "  CPU0\nRCU: x", "proc/stat": "ctxt 12",
		"proc/schedstat": "version 17\ncpu0 0 0 0 0 0 0 1 2 3\ncpu1 0 0 0 0 0 0 1 2 nonsense",
	})
	r := reading{counters: map[string]float64{}}
	r.countInterrupts(root, cpu.Set{0})
	if c := r.counters; c["interrupts_count"] != 7 || c["interrupts_timer_count"] != 7 || !math.IsNaN(c["softirqs_count"]) || c["switches_cpu_count"] != 3 || c["switches_machine_count"] != 12 {
		t.Errorf("%+v", c)
	}
	r.countInterrupts(root, cpu.Set{0, 1})
	if c := r.counters; !math.IsNaN(c["interrupts_count"]) || !math.IsNaN(c["switches_cpu_count"]) {
		t.Errorf("CPU 1 has no numbers: %+v", c)
	}
}

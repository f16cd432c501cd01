package facts

import (
	"testing"
	"testing/fstest"

	"moobench/harness/machine/cpu"
)

func TestCore(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }
	intel := fstest.MapFS{"sys/devices/cpu_core/cpus": file("0-3"), "sys/devices/cpu_atom/cpus": file("4-7")}
	arm := fstest.MapFS{
		cpu.Dir + "/online": file("0-2"), cpu.Dir + "/cpu0/cpu_capacity": file("400"),
		cpu.Dir + "/cpu1/cpu_capacity": file("1024"), cpu.Dir + "/cpu2/cpu_capacity": file("1024"),
	}
	alike := fstest.MapFS{cpu.Dir + "/online": file("0-2")}
	for _, c := range []struct {
		name string
		root fstest.MapFS
		cpus cpu.Set
		want string
	}{
		{"Intel's fast ones", intel, cpu.Set{1, 2}, "performance"},
		{"Intel's slow ones", intel, cpu.Set{5}, "efficiency"},
		{"some of both", intel, cpu.Set{3, 4}, "mixed"},
		{"Arm's fast ones", arm, cpu.Set{1, 2}, "performance"},
		{"Arm's slow one", arm, cpu.Set{0}, "efficiency"},
		{"Arm's both", arm, cpu.Set{0, 1}, "mixed"},
		{"all alike", alike, cpu.Set{0, 1}, ""},
		{"nothing known", fstest.MapFS{}, cpu.Set{0}, ""},
	} {
		if got := Core(c.root, c.cpus); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestStepping(t *testing.T) {
	for text, want := range map[string]string{
		"cpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\nstepping\t: 1\n": "25-17-1",
		"CPU part\t: 0xd0c\nCPU variant\t: 0x3\nCPU revision\t: 1\n":               "0x3-1",
		"": "",
	} {
		m := Describe(fstest.MapFS{"proc/cpuinfo": &fstest.MapFile{Data: []byte(text)}})
		if m.Stepping != want {
			t.Errorf("%q: %q, want %q", text, m.Stepping, want)
		}
	}
}

package knob

import (
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/machine/cpu"
	"moobench/internal/testmachine"
)

func TestReadSettings(t *testing.T) {
	got := ReadSettings(testmachine.Open(t, "desktop"), cpu.Placement{Fixture: cpu.Set{2}})
	for name, want := range map[string]string{"turbo": "on", "governor": "powersave"} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q (all: %v)", name, got[name], want, got)
		}
	}
	if v, ok := got["aslr"]; ok {
		t.Errorf("a setting of the subject's own process is among them: %s", v)
	}
}

func TestSettingsChanged(t *testing.T) {
	before := map[string]string{"turbo": "off", "governor": "performance", "thp": "madvise", "irqs": "housekeeping"}
	after := map[string]string{"turbo": "on", "governor": "performance", "irqs": "anywhere"}
	for _, tt := range []struct {
		wishes []Wish
		want   []string
	}{
		{nil, []string{"turbo was changed from off to on", "thp was changed from madvise to unknown"}},
		{[]Wish{{Knob: "irqs", Value: "housekeeping"}}, []string{
			"turbo was changed from off to on", "thp was changed from madvise to unknown", "irqs was changed from housekeeping to anywhere",
		}},
	} {
		names, words := SettingsChanged(before, after, tt.wishes)
		if diff := cmp.Diff(tt.want, words); diff != "" || len(names) != len(words) {
			t.Errorf("%v (-want +got):\n%s", tt.wishes, diff)
		}
	}
	if names, _ := SettingsChanged(after, after, nil); names != nil {
		t.Errorf("nothing changed, but %v", names)
	}
}

// counted counts how often each file is read.
type counted struct {
	fs.FS
	reads map[string]int
}

func (c counted) ReadFile(path string) ([]byte, error) {
	c.reads[path]++
	return fs.ReadFile(c.FS, path)
}

// TestSettingsReadEachFileOnce finds the same as before, at less cost.
func TestSettingsReadEachFileOnce(t *testing.T) {
	root := testmachine.Open(t, "server")
	on := cpu.Placement{Fixture: cpu.Set{1, 2}, Housekeeping: cpu.Set{0}}
	c := counted{root, map[string]int{}}
	got := ReadSettings(c, on)
	for path, n := range c.reads {
		if n > 1 {
			t.Errorf("/%s was read %d times", path, n)
		}
	}
	for _, k := range All() {
		v, err := k.Observe(root, on)
		if !k.Personal() && err == nil && got[k.Name] != v {
			t.Errorf("%s is %q, want %q", k.Name, got[k.Name], v)
		}
	}
}

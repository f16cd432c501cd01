package knob

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/harness/machine/cpu"
	"moobench/internal/testgolden"
	"moobench/internal/testmachine"
	"moobench/refusal"
)

// knob is the knob of this name.
func knob(name string) Knob {
	k, ok := Named(name)
	if !ok {
		panic("there is no knob " + name)
	}
	return k
}

// setOn sets values on a fresh machine each, makes sure that the knob then says
// so and wants no more, and returns what was done, as text.
func setOn(t *testing.T, k Knob, name string, on cpu.Placement, values ...string) string {
	t.Helper()
	var b strings.Builder
	found, err := k.Observe(testmachine.Open(t, name), on)
	fmt.Fprintf(&b, "%s: %s\n", name, orError("found "+found, err))
	for _, v := range values {
		tree := testmachine.Open(t, name)
		changes, err := k.Changes(tree, on, v)
		fmt.Fprintf(&b, "  %s: %s\n", v, orError(fmt.Sprintf("%d to do", len(changes)), err))
		for _, c := range changes {
			fmt.Fprintf(&b, "    %s\n", c)
		}
		if err == nil {
			checkSet(t, k, name, tree, on, v, changes)
		}
	}
	return b.String()
}

func checkSet(t *testing.T, k Knob, name string, tree *testmachine.Kernel, on cpu.Placement, value string, changes []Change) {
	t.Helper()
	if c, err := k.Check(value); c != value || err != nil {
		t.Errorf("%s on %s: %s is not canonical: %s, %v", k.Name, name, value, c, err)
	}
	for _, c := range changes {
		if err := apply(tree, c); err != nil {
			t.Errorf("%s on %s: %s: %v", k.Name, name, c, err)
		}
	}
	want, err := k.Resolved(tree, on, value)
	if err != nil {
		t.Errorf("%s on %s: resolving %s: %v", k.Name, name, value, err)
	}
	if got, err := k.Observe(tree, on); err != nil || got != want {
		t.Errorf("%s on %s: set to %s, says %q, %v; want %q", k.Name, name, value, got, err, want)
	}
	if again, err := k.Changes(tree, on, value); err != nil || len(again) != 0 {
		t.Errorf("%s on %s: %s is set, and still wants %v, %v", k.Name, name, value, again, err)
	}
}

func (c Change) String() string {
	switch c.Kind {
	case ChangeMake:
		return "mkdir /" + c.Path
	case ChangeGuard:
		return "keep /" + c.Path
	}
	return fmt.Sprintf("echo %s > /%s", c.Value, c.Path)
}

// orError is the value, or the error in words.
func orError(value string, err error) string {
	if err != nil {
		return "error: " + refusal.Inline(err, ": ")
	}
	return value
}

// checkChanges compares what values do on each machine with
// testdata/changes/<knob>.txt.
func checkChanges(t *testing.T, k Knob, on cpu.Placement, values ...string) {
	t.Helper()
	var got string
	for _, name := range []string{"desktop", "server", "laptop", "vm"} {
		got += setOn(t, k, name, on, values...)
	}
	testgolden.Check(t, filepath.Join("testdata", "changes", k.Name+".txt"), got)
	for _, v := range []string{"", "fastest", "ON", "0,5GHz", "-1MHz", "NaNMHz", "1e300GHz"} {
		if c, err := k.Check(v); err == nil {
			t.Errorf("%s: %q is allowed, as %q", k.Name, v, c)
		}
	}
}

// with is a machine of testdata on which some files hold something else:
// "path = content"; without "=" they hold nothing.
func with(t *testing.T, name string, files ...string) *testmachine.Kernel {
	t.Helper()
	tree := testmachine.Open(t, name)
	for _, f := range files {
		path, content, _ := strings.Cut(f, " = ")
		tree.Put(cpu.Dir+"/"+path, content+"\n")
	}
	return tree
}

func apply(tree *testmachine.Kernel, c Change) error {
	if c.Kind == ChangeGuard {
		return nil
	}
	return tree.WriteFile(c.Path, []byte(c.Value+"\n"))
}

func TestDomains(t *testing.T) {
	shared := []string{"cpu0/cpufreq/affected_cpus = 0 1", "cpu1/cpufreq/affected_cpus = 0 1"}
	gone := []string{"online = 0,2-3", "cpu3/cpufreq/scaling_governor"}
	for _, test := range []struct {
		files []string
		want  string
	}{
		{nil, "0 1 2 3"},
		{shared, "0 2 3"},
		{gone, "0 2"},
	} {
		dirs, err := domains(with(t, "laptop", test.files...))
		for i, dir := range dirs {
			dirs[i] = strings.TrimSuffix(strings.TrimPrefix(dir, cpu.Dir+"/cpu"), "/cpufreq/")
		}
		if got := strings.Join(dirs, " "); got != test.want || err != nil {
			t.Errorf("%v: %s, %v; want %s", test.files, got, err, test.want)
		}
	}
}

// TestNoSettingHere makes sure that every knob of the CPUs has a reason where
// there is nothing, and no change.
func TestNoSettingHere(t *testing.T) {
	root := testmachine.Open(t, "container")
	for _, name := range []string{"smt", "turbo", "governor", "energy_preference", "max_frequency", "min_frequency", "cstates"} {
		k := knob(name)
		if found, err := k.Observe(root, cpu.Placement{}); err == nil || found != "" {
			t.Errorf("%s: found %q, %v", name, found, err)
		}
		for _, v := range k.Values {
			changes, err := k.Changes(root, cpu.Placement{}, v)
			if err == nil || len(changes) != 0 {
				t.Errorf("%s %s: %v, %v", name, v, changes, err)
			}
		}
	}
}

func paths(changes []Change, kind ChangeKind) []string {
	var names []string
	for _, c := range changes {
		if c.Kind == kind {
			names = append(names, strings.TrimPrefix(c.Path, cpu.Dir+"/"))
		}
	}
	slices.Sort(names)
	return names
}

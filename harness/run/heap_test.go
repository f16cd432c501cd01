package run

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

func TestHeapArgs(t *testing.T) {
	const timing, resources = results.ProfileTiming, results.ProfileResources
	user := strings.Fields("-Xmx512m -XX:+UseG1GC -XX:MaxHeapSize=1g -XX:MaxRAMPercentage=50 -Dmy=1 -XX:-UseParallelGC -XX:+UseCompressedOops")
	for _, c := range []struct {
		profile results.Profile
		gc      string
		want    string
	}{
		{timing, "", "-XX:+UseSerialGC -Xms2g -Xmx2g -Xmn64m -Dmy=1 -XX:+UseCompressedOops"},
		{timing, "serial", "-XX:+UseSerialGC -Xms2g -Xmx2g -Xmn64m -Dmy=1 -XX:+UseCompressedOops"},
		{timing, "parallel", "-XX:+UseParallelGC -Xms2g -Xmx2g -Xmn64m -Dmy=1 -XX:+UseCompressedOops"},
		{results.ProfileProof, "g1", "-XX:+UseG1GC -Xms2g -Xmx2g -Xmn64m -Dmy=1 -XX:+UseCompressedOops"},
		{timing, "z", "-XX:+UnlockExperimentalVMOptions -XX:+UseZGC -Xms2g -Xmx2g -Dmy=1 -XX:+UseCompressedOops"},
		{timing, "shenandoah", "-XX:+UnlockExperimentalVMOptions -XX:+UseShenandoahGC -Xms2g -Xmx2g -Dmy=1 -XX:+UseCompressedOops"},
		{timing, "epsilon", "-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC -Xms2g -Xmx2g -Dmy=1 -XX:+UseCompressedOops"},
		{resources, "", strings.Join(user, " ")},
		{resources, "serial", "-XX:+UseSerialGC -Xmx512m -XX:MaxHeapSize=1g -XX:MaxRAMPercentage=50 -Dmy=1 -XX:+UseCompressedOops"},
		{resources, "epsilon", "-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC -Xmx512m -XX:MaxHeapSize=1g -XX:MaxRAMPercentage=50 -Dmy=1 -XX:+UseCompressedOops"},
	} {
		before := slices.Clone(user)
		if got := strings.Join(heapArgs(c.profile, user, c.gc), " "); got != c.want {
			t.Errorf("%s, gc %q:\n got %s\nwant %s", c.profile, c.gc, got, c.want)
		}
		if !slices.Equal(user, before) {
			t.Fatalf("gc %q changed the user's options to %v", c.gc, user)
		}
	}
}

// TestCollectorsAreKnown starts a JVM with each collector that a benchmarks.toml
// may name.
func TestCollectorsAreKnown(t *testing.T) {
	java, err := jvm.Find("")
	if err != nil {
		t.Skip("needs a JDK: ", err)
	}
	for _, p := range plan.Environment() {
		if p.Name != results.FactorGC {
			continue
		}
		for _, gc := range p.Values {
			options := heapArgs(results.ProfileTiming, nil, gc)
			if others := heapArgs(results.ProfileTiming, nil, ""); gc != "serial" && slices.Equal(options, others) {
				t.Errorf("%s is started like serial: %v", gc, options)
			}
			t.Run(gc, func(t *testing.T) {
				out, err := exec.Command(java.Path, append(options, "-version")...).CombinedOutput()
				if strings.Contains(string(out), "not supported") {
					t.Skipf("needs a JDK with this collector: %s", out)
				}
				if err != nil {
					t.Errorf("%v: %v\n%s", options, err, out)
				}
			})
		}
	}
}

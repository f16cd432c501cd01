package framework

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/strict"
	"moobench/results"
)

const agents = `
[framework.mine]
agent = "now.jar"
proof = { sibling = "collect" }
[framework.mine.artifact.extra]
path = "extra.jar"
[framework.mine.stage.write]
args = ["-Dout=1"]
[framework.mine.stage.collect]
proof = { count = "fixture", per_call = 1 }
[framework.plain]
args = ["-Dx"]
[framework.plain.proof]
sibling = "mine/bci/collect"
`

func TestBuildReplacesJars(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"now.jar", "extra.jar", "old.jar", "kernel.jar"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	set, err := with(t, new(Set), agents+`
[build.old]
agent = "old.jar"
[build.old.fixture.kernel]
path = "kernel.jar"
`, dir)
	if err != nil {
		t.Fatal(err)
	}
	v, err := set.Variant("mine/bci/write@old")
	if err != nil {
		t.Fatal(err)
	}
	own, err := set.Variant("mine/bci/write")
	if err != nil {
		t.Fatal(err)
	}
	if v.Name != "mine/bci/write@old" || v.Framework != "mine@old" || v.Mode != "bci" || v.Stage != "write" || v.Proof.Sibling != "mine/bci/collect@old" {
		t.Errorf("got %+v", v)
	}
	if diff := cmp.Diff(own.Args, v.Args); diff != "" {
		t.Error(diff)
	}
	names := func(v Variant) string {
		var all []string
		for _, a := range v.Launch().Artifacts {
			all = append(all, a.Name)
		}
		return strings.Join(all, " ")
	}
	if got, want := names(v), "old.jar extra.jar {fixture.kernel}"; got != want {
		t.Errorf("it is started with %s, want %s", got, want)
	}
	if got, want := names(own), "now.jar extra.jar"; got != want {
		t.Errorf("the variant itself is started with %s, want %s", got, want)
	}
	path, err := (&Resolver{Offline: true}).Resolve(context.Background(), v.Artifacts[0], v.License)
	if err != nil || path != filepath.Join(dir, "old.jar") {
		t.Errorf("its agent is %s, %v", path, err)
	}
}

// TestBuildNames: a build of one framework leaves the others as
// they are, and a variant of a build can be taken from another one.
func TestBuildNames(t *testing.T) {
	set, err := with(t, new(Set), agents+`
[build.old]
maven = "g:a:1"
[build.extra]
artifact.extra = { maven = "g:extra:1" }
`, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, full, sibling, says string }{
		{"mine/bci/collect@old", "mine/bci/collect@old", "", ""},
		{"mine/bci/write@old@extra", "mine/bci/write@old@extra", "mine/bci/collect@old@extra", ""},
		{"plain@old", "", "", `build "old" has no jar of plain/bci/default, whose artifacts are none`},
		{"none@old", "", "", `build "old" has no jar of none`},
		{"mine@old", "", "", `variant "mine" is ambiguous`},
		{"mine/bci/write@odl", "", "", `unknown variant "mine/bci/write@odl" (did you mean "mine/bci/write@old"?)`},
		{"nobody@old", "", "", `unknown variant "nobody"`},
	} {
		v, err := set.Variant(c.name)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %s", c.name, err, c.says)
			}
			continue
		}
		if err != nil || v.Name != c.full || v.Proof.Sibling != c.sibling {
			t.Errorf("%s: %s, proven by %q, %v", c.name, v.Name, v.Proof.Sibling, err)
		}
	}
	if _, err := set.Variant("mine/bci/write@odl"); !errors.As(err, new(*unknownVariant)) {
		t.Errorf("an unknown build: %T", err)
	}
}

func TestErrorsOfABuild(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", `[build.x]`, `b.toml:1: the build puts no other jar in place of one`},
		{"unknown key", "[build.x]\nargs = [\"-D\"]", `b.toml:2: unknown key "args"`},
		{"twice", "[build.x]\nagent = \"a.jar\"\nmaven = \"g:a:1\"", `agent and maven both name the agent`},
		{"name", "[build.\"a@b\"]\nagent = \"a.jar\"", `b.toml:1: "a@b" can't be a name`},
		{"no module", "[build.x]\nfixture.kernl = { path = \"a.jar\" }", `no fixture has a module "kernl" (did you mean "kernel"?)`},
		{"digest", "[build.x]\nagent = \"a.jar\"\nsha256 = \"00\"", `sha256 is not 64 small hexadecimal digits`},
		{"type", "[build.x]\nfixture = 1", `b.toml:2: fixture: want a table, got the integer 1`},
	} {
		_, err := with(t, new(Set), c.text, "")
		if errs, ok := err.(strict.Errors); !ok || !strings.Contains(errs[0].Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestMoves(t *testing.T) {
	for _, c := range []struct {
		a    Artifact
		want bool
	}{
		{Artifact{Path: "agent.jar"}, true},
		{Artifact{Path: "agent.jar", SHA256: strings.Repeat("0", 64)}, true},
		{Artifact{Maven: "g:a:1.0"}, false},
		{Artifact{Maven: "g:a:1.0-SNAPSHOT"}, true},
		{Artifact{Maven: "g:a:1.0-SNAPSHOT:agent"}, true},
		{Artifact{Maven: "g:a-SNAPSHOT:1.0"}, false},
	} {
		if got := c.a.Moves(); got != c.want {
			t.Errorf("%s: %t", c.a, got)
		}
	}
}

func TestFixtureNames(t *testing.T) {
	if module, ok := FixtureModule(FixtureName("probes")); module != "probes" || !ok {
		t.Errorf("%q, %t", module, ok)
	}
	for _, a := range []results.Artifact{{Name: "agent.jar"}, {Name: "{fixture.}"}, {Name: "{fixture.x"}, {Name: "fixture.x}"}, {}} {
		if module, ok := FixtureModule(a.Name); ok {
			t.Errorf("%q is module %q", a.Name, module)
		}
	}
}

// TestWhatABuildReplaces: a jar of one fixture is enough for a build of any variant, and the variant that proves
// another is of the same build only if that has a jar of it.
func TestWhatABuildReplaces(t *testing.T) {
	set, err := with(t, new(Set), agents+`
[framework.special]
proof = { sibling = "mine/bci/collect" }
artifact.special = { path = "special.jar" }
[build.fixture]
fixture.kernel = { path = "kernel.jar" }
[build.special]
artifact.special = { path = "other.jar" }
`, "/d")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, sibling     string
		artifact, fixture string
	}{
		{"special/bci/default", "mine/bci/collect", "/d/special.jar", ""},
		{"special/bci/default@special", "mine/bci/collect", "/d/other.jar", ""},
		{"special/bci/default@fixture", "mine/bci/collect@fixture", "/d/special.jar", "/d/kernel.jar"},
	} {
		v, err := set.Variant(c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		fixture := ""
		if len(v.Fixtures) > 0 {
			fixture = v.Fixtures[0].Path
		}
		if v.Proof.Sibling != c.sibling || v.Artifacts[0].Path != c.artifact || fixture != c.fixture {
			t.Errorf("%s: proven by %q, %+v, %+v", c.name, v.Proof.Sibling, v.Artifacts, v.Fixtures)
		}
	}
}

// TestEmptyCommand: a command without words is a mistake like any other.
func TestEmptyCommand(t *testing.T) {
	_, err := with(t, new(Set), "[framework.x]\nproof = { command = [] }", "/d")
	if errs, _ := err.(strict.Errors); len(errs) != 1 || errs[0].Line != 2 {
		t.Errorf("error %v", err)
	}
}

// TestBuildAfterABuild: a build that has no fixtures of its own leaves those of the one before.
func TestBuildAfterABuild(t *testing.T) {
	set, err := with(t, new(Set), agents+`
[build.old]
maven = "g:a:1"
fixture.kernel = { path = "kernel.jar" }
[build.extra]
artifact.extra = { maven = "g:extra:1" }
`, "/d")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mine/bci/collect@old@extra", "mine/bci/collect@extra@old"} {
		v, err := set.Variant(name)
		if err != nil || len(v.Fixtures) != 1 || v.Fixtures[0].Path != "/d/kernel.jar" {
			t.Errorf("%s: %+v, %v", name, v.Fixtures, err)
		}
	}
}

// TestDigestOfAnAgentPath: a digest is that of the Java agent, or of the native one if there is no other.
func TestDigestOfAnAgentPath(t *testing.T) {
	digest := strings.Repeat("0", 64)
	for keys, want := range map[string]map[string]string{
		`agentpath = "a.so"`:                      {"agentpath": digest},
		"agentpath = \"a.so\"\nagent = \"a.jar\"": {"agentpath": "", agentName: digest},
	} {
		set, err := with(t, new(Set), "[framework.x]\nproof = \"none\"\nsha256 = \""+digest+"\"\n"+keys, "/d")
		if err != nil {
			t.Fatal(err)
		}
		v, err := set.Variant("x")
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, a := range v.Artifacts {
			got[a.Name] = a.SHA256
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", keys, diff)
		}
	}
}

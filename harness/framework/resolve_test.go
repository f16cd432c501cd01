package framework

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/internal/testmaven"
	"moobench/refusal"
)

const jarBytes = "a jar"

func sumOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// fakeMaven is a resolver whose repository is empty, and whose Maven runs the
// script: $1 is the repository, $2 the artifact.
func fakeMaven(t *testing.T, script string) (r *Resolver, repository string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("MAVEN_OPTS", "")
	t.Setenv("MAVEN_ARGS", "")
	testmaven.Fake(t, dir, `echo "$@" >>`+dir+`/log
for a; do case $a in
-Dmaven.repo.local=*) repo=${a#*=};;
-Dartifact=*) art=${a#*=};;
esac; done
set -- "$repo" "$art"
`+script+"\n")
	return &Resolver{}, filepath.Join(dir, ".m2", "repository")
}

var example = Artifact{Name: "agent", Maven: "org.example:agent:1.0:all", SHA256: sumOf(jarBytes)}

const inRepository = "org/example/agent/1.0/agent-1.0-all.jar"

func TestResolveFromRepository(t *testing.T) {
	r, repository := fakeMaven(t, "exit 1")
	path := filepath.Join(repository, inRepository)
	write(t, path, jarBytes, 0o666)
	got, err := r.Resolve(context.Background(), example, "Apache-2.0")
	if err != nil || got != path {
		t.Errorf("got %s, %v; want %s", got, err, path)
	}
}

func TestResolveFetches(t *testing.T) {
	r, repository := fakeMaven(t, `test "$2" = org.example:agent:1.0:jar:all && mkdir -p "$1/org/example/agent/1.0" && printf 'a jar' >"$1/`+inRepository+`"`)
	var log strings.Builder
	r.Log = &log
	got, err := r.Resolve(context.Background(), example, "Apache-2.0")
	if err != nil || got != filepath.Join(repository, inRepository) {
		t.Fatalf("got %s, %v", got, err)
	}
	args, _ := os.ReadFile(filepath.Join(os.Getenv("HOME"), "log"))
	for _, want := range []string{"-q -B", "maven-dependency-plugin:3.", "-Dtransitive=false"} {
		if !strings.Contains(string(args), want) {
			t.Errorf("Maven got %s, which lacks %s", args, want)
		}
	}
	if !strings.Contains(log.String(), "fetching org.example:agent:1.0:jar:all") {
		t.Errorf("log: %s", log.String())
	}
}

// TestMavenIsStartedApart: what somebody leaves in the folder for temporary files is
// nothing to Maven.
func TestMavenIsStartedApart(t *testing.T) {
	r, _ := fakeMaven(t, `echo "in $PWD of $MAVEN_BASEDIR"; exit 1`)
	t.Setenv("TMPDIR", t.TempDir())
	_, err := r.Resolve(context.Background(), example, "Apache-2.0")
	folder := filepath.Join(os.Getenv("HOME"), ".cache", "moobench", "maven")
	if err == nil || !strings.Contains(err.Error(), "in "+folder+" of "+folder) {
		t.Errorf("%v: want %s", err, folder)
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}

// Root believes no repository that others can change.
func TestRepositoryOfAnother(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has something to lose to other users here")
	}
	r, repository := fakeMaven(t, "exit 1")
	write(t, filepath.Join(repository, inRepository), jarBytes, 0o666)
	if err := os.Chown(repository, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	_, err := r.Resolve(context.Background(), example, "Apache-2.0")
	if err == nil || !strings.Contains(refusal.Text(err), "it belongs to user 65534\nhint: ") {
		t.Errorf("%v", err)
	}
}

func TestResolveErrors(t *testing.T) {
	tests := []struct {
		name, script string
		offline      bool
		maven        string
		artifact     Artifact
		want         string
	}{
		{"offline", "", true, "", example, "moobench is to stay offline; once with a network: mvn "},
		{"no maven", "", false, "/nowhere/mvn", example, "install the package maven"},
		{"maven fails", "echo no route to host; exit 1", false, "", example, "exit status 1; it said:\n  no route to host"},
		{"maven lies", "exit 0", false, "", example, "agent-1.0-all.jar does not exist"},
		{"no such file", "", false, "", Artifact{Name: "agent", Path: "/nowhere/x.jar"}, `artifact "agent": /nowhere/x.jar does not exist (build it`},
		{"a folder", "", false, "", Artifact{Name: "agent", Path: "/"}, "/ is not a file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, _ := fakeMaven(t, test.script)
			r.Offline = test.offline
			if test.maven != "" {
				t.Setenv("PATH", "/nonexistent")
			}
			_, err := r.Resolve(context.Background(), test.artifact, "Apache-2.0")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// TestChecksum: it is verified every time, also after the file has changed.
func TestChecksum(t *testing.T) {
	r, repository := fakeMaven(t, "exit 1")
	path := filepath.Join(repository, inRepository)
	write(t, path, jarBytes, 0o666)
	if _, err := r.Resolve(context.Background(), example, "Apache-2.0"); err != nil {
		t.Fatal(err)
	}
	write(t, path, "b jar", 0o666)
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	_, err := r.Resolve(context.Background(), example, "Apache-2.0")
	var sum *ChecksumError
	if !errors.As(err, &sum) || sum.got != sumOf("b jar") || sum.artifact.SHA256 != example.SHA256 || sum.path != path {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{example.Maven, path, "delete the file"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if got, err := r.Digest(path); err != nil || got != sumOf("b jar") {
		t.Errorf("Digest = %s, %v", got, err)
	}
}

func TestCancelled(t *testing.T) {
	r, _ := fakeMaven(t, "exec sleep 60")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := r.Resolve(ctx, example, "Apache-2.0"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestLocalRepository(t *testing.T) {
	settings := `<settings><localRepository>${env.ELSEWHERE}/repo</localRepository></settings>`
	tests := []struct {
		name  string
		setup func(t *testing.T, r *Resolver, home string)
		want  string // relative to home
	}{
		{"default", func(*testing.T, *Resolver, string) {}, ".m2/repository"},
		{"user's settings", func(t *testing.T, _ *Resolver, home string) {
			t.Setenv("ELSEWHERE", home+"/e")
			write(t, home+"/.m2/settings.xml", settings, 0o666)
		}, "e/repo"},
		{"installation's settings", func(t *testing.T, _ *Resolver, home string) {
			write(t, home+"/conf/settings.xml", `<settings xmlns="x"><localRepository>${user.home}/c</localRepository></settings>`, 0o666)
		}, "c"},
		{"MAVEN_OPTS", func(t *testing.T, _ *Resolver, home string) {
			t.Setenv("MAVEN_OPTS", "-Xmx1g -Dmaven.repo.local="+home+"/o")
		}, "o"},
		{"MAVEN_ARGS before MAVEN_OPTS", func(t *testing.T, _ *Resolver, home string) {
			t.Setenv("MAVEN_OPTS", "-Dmaven.repo.local="+home+"/o")
			t.Setenv("MAVEN_ARGS", "-Dmaven.repo.local="+home+"/a")
		}, "a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, _ := fakeMaven(t, "exit 1")
			home := os.Getenv("HOME")
			test.setup(t, r, home)
			got, err := r.LocalRepository(context.Background())
			if want := filepath.Join(home, test.want); err != nil || got != want {
				t.Errorf("got %s, %v; want %s", got, err, want)
			}
		})
	}
}

func TestBrokenSettings(t *testing.T) {
	r, _ := fakeMaven(t, "exit 1")
	write(t, filepath.Join(os.Getenv("HOME"), ".m2", "settings.xml"), "<settings", 0o666)
	if _, err := r.LocalRepository(context.Background()); err == nil || !strings.Contains(err.Error(), "settings.xml") {
		t.Errorf("got %v", err)
	}
}

// TestRepositoryIsFoundOnce: what a resolver has once found does not change, and nobody waits for it in vain.
func TestRepositoryIsFoundOnce(t *testing.T) {
	r := &Resolver{}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	t.Setenv("MAVEN_ARGS", "-Dmaven.repo.local=/a")
	if dir, err := r.LocalRepository(ended); dir != "" || err != context.Canceled {
		t.Errorf("after the end: %q, %v", dir, err)
	}
	for _, path := range []string{"/a", "/b"} {
		t.Setenv("MAVEN_ARGS", "-Dmaven.repo.local="+path)
		if dir, err := r.LocalRepository(t.Context()); dir != "/a" || err != nil {
			t.Errorf("with %s: %q, %v", path, dir, err)
		}
	}
}

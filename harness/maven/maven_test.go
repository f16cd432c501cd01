package maven

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moobench/refusal"
)

// planted is a folder for everybody's temporary files in which somebody has left
// options for Maven's JVM that end it.
func planted(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".mvn"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".mvn", "jvm.config"), []byte("-XX:SomebodyElsesOption\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFolder(t *testing.T) {
	t.Setenv("TMPDIR", planted(t))
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	folder, err := Folder()
	if err != nil || folder != filepath.Join(cache, "moobench", "maven") {
		t.Fatalf("%s, %v", folder, err)
	}
	info, err := os.Stat(folder)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	if again, err := Folder(); again != folder || err != nil {
		t.Errorf("again: %s, %v", again, err)
	}
	if err := os.Chmod(filepath.Join(cache, "moobench"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Folder(); err == nil || !strings.Contains(refusal.Text(err), "everybody may write to it\nhint: ") {
		t.Errorf("in a cache that all may write to: %v", err)
	}
}

// TestCommandOfRoot: the home that sudo has left is another user's, and a script in it
// not root's.
func TestCommandOfRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has something to lose to other users here")
	}
	home := t.TempDir()
	if err := os.Chown(home, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	cmd := Command(t.Context(), "sh", "/", "-c", `printf %s "$HOME"`)
	if out, err := cmd.Output(); len(out) > 0 || err != nil {
		t.Errorf("it is told of %s, %v", out, err)
	}
	own := t.TempDir()
	t.Setenv("HOME", own)
	if out, err := Command(t.Context(), "sh", "/", "-c", `printf %s "$HOME"`).Output(); string(out) != own || err != nil {
		t.Errorf("root's own home is %q, %v: want %s", out, err, own)
	}
}

// TestOptions: the user's options for Maven's JVM come last, since the last one counts.
func TestOptions(t *testing.T) {
	t.Setenv("MAVEN_OPTS", "-Xmx1g -XX:TieredStopAtLevel=4")
	out, err := Command(t.Context(), "sh", "/", "-c", `printf %s "$MAVEN_OPTS"`).Output()
	if want := "-XX:TieredStopAtLevel=1 -Xmx1g -XX:TieredStopAtLevel=4"; string(out) != want || err != nil {
		t.Errorf("%q, %v: want %q", out, err, want)
	}
}

// The machine's own Maven, started below options that are not its user's.
func TestCommandObeysNobodyElse(t *testing.T) {
	command, err := exec.LookPath(Name)
	if err != nil {
		t.Skip("needs Maven:", err)
	}
	inside := filepath.Join(planted(t), "inside")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	bare := exec.CommandContext(t.Context(), command, "-v")
	bare.Dir = inside
	if out, err := bare.CombinedOutput(); err == nil {
		t.Skipf("this Maven does not look for .mvn: %s", out)
	}
	if out, err := Command(t.Context(), command, inside, "-v").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFolderOfACommand: Maven runs in its folder, and takes that for the root of what it builds.
func TestFolderOfACommand(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out, err := Command(t.Context(), "sh", dir, "-c", `printf '%s %s' "$(pwd)" "$MAVEN_BASEDIR"`).Output()
	if want := dir + " " + dir; string(out) != want || err != nil {
		t.Errorf("%q, %v: want %q", out, err, want)
	}
}

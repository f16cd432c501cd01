package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"moobench/cmd/internal/console"
	"moobench/examples"
)

// nightlyFolder writes a nightly run, and returns its folder.
func nightlyFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "agent")
	nightlyWritten(t, dir)
	return dir
}

// nightlyWritten writes a nightly run to a folder, and returns what it said.
func nightlyWritten(t *testing.T, dir string) (out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	if err := writeNightly(console.Console{Out: &o, Err: &e}, dir); err != nil {
		t.Fatal(err, e.String())
	}
	return o.String(), e.String()
}

func textOf(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNightlyFilesAreNamed(t *testing.T) {
	dir := nightlyFolder(t)
	about := textOf(t, dir, "NIGHTLY.md")
	for _, f := range examples.Nightly() {
		text := textOf(t, dir, f.Target)
		if f.Target != "NIGHTLY.md" && !strings.Contains(about, "`"+f.Target+"`") {
			t.Errorf("NIGHTLY.md does not say what %s is", f.Target)
		}
		if strings.Contains(text, examples.Placeholder) {
			t.Errorf("%s does not name the folder that it was written to", f.Target)
		}
		info, err := os.Stat(filepath.Join(dir, f.Target))
		if err != nil || (info.Mode()&0o111 != 0) != f.Executable {
			t.Errorf("%s: %v, %v", f.Target, info.Mode(), err)
		}
	}
	for _, name := range []string{"MOOBENCH", "BENCHMARKS", "NIGHTS", "PUBLIC", "KEEP", "WAIT", "BUILD", "DATA_BRANCH", "DATA_REMOTE"} {
		if !strings.Contains(about, "`"+name+"`") || !strings.Contains(textOf(t, dir, "nightly.sh"), "${"+name) {
			t.Errorf("%s is set in one of NIGHTLY.md and nightly.sh only", name)
		}
	}
}

// TestNightlyKeepsWhatIsThere: a CI file of one's own stays as it is.
func TestNightlyKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, ".gitlab-ci.yml")
	if err := os.WriteFile(own, []byte("mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, said := nightlyWritten(t, dir)
	if textOf(t, own) != "mine\n" || !strings.Contains(said, ".gitlab-ci.yml exists and is left as it is") {
		t.Errorf("%s%s", textOf(t, own), said)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	var out, errOut bytes.Buffer
	if err := writeNightly(console.Console{Out: &out, Err: &errOut}, dir); err == nil || !strings.Contains(err.Error(), "none is overwritten") || out.Len() > 0 {
		t.Errorf("%v\n%s%s", err, out.String(), errOut.String())
	}
}

// A folder that a unit file would read otherwise is named to the reader.
func TestNightlyInAFolderWithSpaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my agent")
	if _, said := nightlyWritten(t, dir); !strings.Contains(said, examples.Placeholder) || !strings.Contains(textOf(t, dir, "crontab"), examples.Placeholder) {
		t.Errorf("%s", said)
	}
}

// TestNightlyYAML reads the CI files with Python's parser where it is installed,
// and in any case as lines.
func TestNightlyYAML(t *testing.T) {
	dir := nightlyFolder(t)
	for name, wants := range map[string][]string{
		".github/workflows/moobench.yml": {"self-hosted", "actions/checkout@v4", "actions/upload-artifact@v4", "contents: write", "-eq 4"},
		".gitlab-ci.yml":                 {"exit_codes: 4", "resource_group", "when: always", "tags: [moobench]"},
	} {
		text := textOf(t, dir, name)
		for _, want := range append(wants, "./nightly.sh", "DATA_BRANCH: moobench-data") {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		indented := regexp.MustCompile(`^(  )*\S|^\s*$`)
		for i, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "\t") || !indented.MatchString(line) {
				t.Errorf("%s:%d: %q is not indented by steps of two spaces", name, i+1, line)
			}
		}
		parsedByPython(t, filepath.Join(dir, name))
	}
}

func parsedByPython(t *testing.T, path string) {
	t.Helper()
	if exec.Command("python3", "-c", "import yaml").Run() != nil {
		t.Logf("%s was only read as lines: needs python3 with yaml", filepath.Base(path))
		return
	}
	const program = "import sys, yaml\nd = yaml.safe_load(open(sys.argv[1]))\nassert d.get('jobs') or d['moobench']['script'], d"
	if out, err := exec.Command("python3", "-c", program, path).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", path, err, out)
	}
}

// TestNightlyShell has a shell read the script, and what the workflow runs.
func TestNightlyShell(t *testing.T) {
	dir := nightlyFolder(t)
	step := regexp.MustCompile(`(?s)run: \|\n(.*?)\n\n`).FindStringSubmatch(textOf(t, dir, ".github/workflows/moobench.yml"))
	if step == nil {
		t.Fatal("the workflow has no script of several lines")
	}
	for name, text := range map[string]string{"nightly.sh": textOf(t, dir, "nightly.sh"), "the workflow's step": step[1]} {
		for _, shell := range []string{"sh", "dash", "bash"} {
			if _, err := exec.LookPath(shell); err != nil {
				t.Logf("%s did not read %s: it is not installed", shell, name)
				continue
			}
			cmd := exec.Command(shell, "-n")
			cmd.Stdin = strings.NewReader(text)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s -n: %s: %v\n%s", shell, name, err, out)
			}
		}
	}
}

// TestNightlyRunsAsWhoWroteIt: a service without a user is root without a home.
func TestNightlyRunsAsWhoWroteIt(t *testing.T) {
	u, err := user.LookupId(strconv.Itoa(os.Geteuid()))
	if err != nil {
		t.Skip("this user has no name:", err)
	}
	if text := textOf(t, nightlyFolder(t), "moobench.service"); !strings.Contains(text, "\nUser="+u.Username+"\n") || strings.Contains(text, examples.UserPlaceholder) {
		t.Errorf("it does not run as %s:\n%s", u.Username, text)
	}
}

// TestNightlySparesWhatIsBeside: a file of the user's own, or a link that somebody
// planted, is not written through.
func TestNightlySparesWhatIsBeside(t *testing.T) {
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("whole"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, filepath.Join(dir, "crontab.tmp")); err != nil {
		t.Fatal(err)
	}
	nightlyWritten(t, dir)
	if textOf(t, victim) != "whole" || textOf(t, dir, "crontab") == "whole" {
		t.Error("it was written to")
	}
	if to, err := os.Readlink(filepath.Join(dir, "crontab.tmp")); to != victim || err != nil {
		t.Errorf("%q, %v", to, err)
	}
}

func TestNightlyUnits(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("needs systemd-analyze: to read the unit files")
	}
	dir := nightlyFolder(t)
	out, err := exec.Command("systemd-analyze", "verify", filepath.Join(dir, "moobench.service"), filepath.Join(dir, "moobench.timer")).CombinedOutput()
	if err != nil || bytes.Contains(out, []byte("moobench.")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// stub stands in for moobench: it writes down what it was told, and ends as the
// test says.
const stub = `#!/bin/sh
printf '%s\n' "$*" >>"$STUB_LOG"
case "$1 $2" in
"run --quiet")
	mkdir -p "$4" && : >"$4/report.html"
	[ "$STUB_SEALED" = no ] || : >"$4/SEALED"
	exit "$STUB_RUN" ;;
"history add") exit "$STUB_ADD" ;;
"history check")
	case "$3" in
	--confirm) exit "$STUB_CHECK" ;;
	*) echo summary >"$6"; exit "$STUB_CHECK" ;;
	esac ;;
"history show") echo page >"$6" ;;
"prune --keep") exit "$STUB_PRUNE" ;;
"report "*) [ "$STUB_INCOMPLETE" = no ] || printf '{\n  "incomplete": [\n' ;;
*) exit 2 ;;
esac
`

// stubbed runs a night of a stub.
func stubbed(t *testing.T, env ...string) (status int, log, dir string) {
	t.Helper()
	dir = nightlyFolder(t)
	path := filepath.Join(dir, "stub")
	if err := os.WriteFile(path, []byte(stub), 0o777); err != nil {
		t.Fatal(err)
	}
	logPath := filepath.Join(dir, "log")
	cmd := exec.Command("sh", filepath.Join(dir, "nightly.sh"))
	cmd.Env = append(os.Environ(), "MOOBENCH="+path, "STUB_LOG="+logPath, "STUB_SEALED=yes", "STUB_RUN=0", "STUB_ADD=0", "STUB_CHECK=0", "STUB_PRUNE=0", "STUB_INCOMPLETE=no",
		"GITHUB_SHA=", "CI_COMMIT_SHA=", "GITHUB_STEP_SUMMARY=", "DATA_BRANCH=", "BUILD=", "NIGHTS=", "PUBLIC=", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(logPath)
	if err != nil {
		return cmd.ProcessState.ExitCode(), string(out), dir
	}
	return cmd.ProcessState.ExitCode(), string(text) + string(out), dir
}

func TestNightlyStatus(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		want int
		adds bool
	}{
		{"fine", nil, 0, true},
		{"confirmed", []string{"STUB_CHECK=3"}, 3, true},
		{"a cell without an answer", []string{"STUB_RUN=4", "STUB_INCOMPLETE=yes"}, 4, true},
		{"the gate of one night", []string{"STUB_RUN=3"}, 0, true},
		{"a gate that one night does not decide", []string{"STUB_RUN=4"}, 0, true},
		{"the gate, and a cell without an answer", []string{"STUB_RUN=3", "STUB_INCOMPLETE=yes"}, 4, true},
		{"the gate, confirmed", []string{"STUB_RUN=3", "STUB_CHECK=3"}, 3, true},
		{"confirmed in spite of a cell without an answer", []string{"STUB_RUN=4", "STUB_INCOMPLETE=yes", "STUB_CHECK=3"}, 3, true},
		{"an alarm that could not be settled", []string{"STUB_CHECK=4"}, 4, true},
		{"a check that failed", []string{"STUB_CHECK=1"}, 1, true},
		{"a run that failed", []string{"STUB_RUN=1"}, 1, false},
		{"a mistake in benchmarks.toml", []string{"STUB_RUN=2"}, 2, false},
		{"a require that is unmet", []string{"STUB_RUN=4", "STUB_SEALED=no"}, 4, false},
		{"a run that left nothing", []string{"STUB_SEALED=no"}, 1, false},
		{"no cell has an answer", []string{"STUB_RUN=4", "STUB_INCOMPLETE=yes", "STUB_ADD=1"}, 4, true},
		{"adding failed", []string{"STUB_ADD=1"}, 1, true},
		{"pruning failed", []string{"STUB_PRUNE=1"}, 0, true},
		{"the build failed", []string{"BUILD=exit 7"}, 7, false},
	} {
		status, log, dir := stubbed(t, c.env...)
		if status != c.want || strings.Contains(log, "history add") != c.adds {
			t.Errorf("%s: exit status %d, want %d\n%s", c.name, status, c.want, log)
		}
		if c.adds && !strings.Contains(strings.Join(c.env, " "), "STUB_ADD") {
			for _, page := range []string{"index.html", "summary.md", "night.html"} {
				if _, err := os.Stat(filepath.Join(dir, "results", "public", page)); err != nil {
					t.Errorf("%s: not published: %v", c.name, err)
				}
			}
			if !strings.Contains(log, "prune --keep 30") {
				t.Errorf("%s: nothing was pruned\n%s", c.name, log)
			}
		}
	}
}

// TestNightlyPlaces: what a CI job says of commit, folders and summary is used.
func TestNightlyPlaces(t *testing.T) {
	nights, public, summary := filepath.Join(t.TempDir(), "nights"), filepath.Join(t.TempDir(), "public"), filepath.Join(t.TempDir(), "summary")
	status, log, _ := stubbed(t, "GITHUB_SHA=4f2a9c1", "NIGHTS="+nights, "PUBLIC="+public, "GITHUB_STEP_SUMMARY="+summary, "KEEP=7")
	if status != 0 || !strings.Contains(log, "history add --commit 4f2a9c1 results/runs/") || !strings.Contains(log, "prune --keep 7") {
		t.Errorf("exit status %d\n%s", status, log)
	}
	if textOf(t, summary) != "summary\n" || textOf(t, public, "index.html") != "page\n" {
		t.Error("the summary or the page is not where the job wants it")
	}
	if found, err := filepath.Glob(filepath.Join(nights, "results", "runs", "*", "SEALED")); err != nil || len(found) != 1 {
		t.Errorf("campaigns %v, %v", found, err)
	}
}

// TestOneNightAtATime starts a night while another one holds the lock.
func TestOneNightAtATime(t *testing.T) {
	if _, err := exec.LookPath("flock"); err != nil {
		t.Skip("needs flock")
	}
	nights := t.TempDir()
	if err := os.MkdirAll(filepath.Join(nights, "results"), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(nights, "results", "nightly.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	status, log, _ := stubbed(t, "NIGHTS="+nights)
	if status != 1 || !strings.Contains(log, "another night is still running") || strings.Contains(log, "run --quiet") {
		t.Errorf("exit status %d\n%s", status, log)
	}
}

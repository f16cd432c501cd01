// Package maven starts the machine's own Maven so that it obeys only its user. By default
// it reads options, for its JVM as well, from a .mvn in the folder that it is started in
// or in any above, and that may be anybody's.
package maven

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"moobench/harness/proc"
	"moobench/results/safefile"
)

// Name is the command.
const Name = "mvn"

// brief is an option for the JVM of Maven, which ends before the optimising compiler pays:
// with it building the fixtures takes half the CPU time. The user's own come after it, and
// win. A collector isn't chosen: two of them would be refused.
const brief = "-XX:TieredStopAtLevel=1"

// Command is Maven, ready to start in a folder that only this user and root can change.
// command is Name or its path.
func Command(ctx context.Context, command, folder string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir = folder
	cmd.Env = append(
		os.Environ(), "MAVEN_BASEDIR="+folder, // there it looks for .mvn, and does not go upwards
		"MAVEN_OPTS="+strings.TrimSpace(brief+" "+os.Getenv("MAVEN_OPTS")),
	)
	if os.Geteuid() == 0 && safefile.CheckFolder(os.Getenv("HOME")) != nil {
		cmd.Env = append(cmd.Env, "HOME=") // another user's, which sudo has left: it would run the .mavenrc there
	}
	return cmd
}

// Said runs it, and returns the end of what it said, as Plain does.
func Said(cmd *exec.Cmd) (string, error) {
	said, err := proc.Said(cmd)
	return Plain(said), err
}

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// Plain is what Maven said without its colours, some of which it sends whatever it is told.
func Plain(said []byte) string { return strings.TrimSpace(colours.ReplaceAllString(string(said), "")) }

// Folder makes the folder in the user's cache to start Maven in where there is no
// project: it holds neither a POM nor options.
func Folder() (string, error) {
	cache, err := safefile.CacheFolder()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "maven")
	// Should a Maven look for .mvn all the same, it finds this one first.
	return folder, safefile.MakeCache(filepath.Join(folder, ".mvn"))
}

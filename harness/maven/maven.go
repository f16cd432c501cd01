// Package maven starts the machine's own Maven so that only its user controls it. By default
// Maven reads options, even for its JVM, from .mvn in its working directory or any parent,
// which other users may be able to write.
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

// Name is the command's name.
const Name = "mvn"

// brief is an option for Maven's JVM, which ends before the optimising compiler pays off: with it,
// building the fixtures takes half the CPU time. The user's own options follow it, and override
// it. It chooses no collector: the JVM refuses to start if the user's options choose another.
const brief = "-XX:TieredStopAtLevel=1"

// Command returns Maven, ready to start in a folder that only this user and root can change.
// command is Name or its path.
func Command(ctx context.Context, command, folder string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir = folder
	cmd.Env = append(
		os.Environ(), "MAVEN_BASEDIR="+folder, // Maven looks for .mvn there, and not in parents
		"MAVEN_OPTS="+strings.TrimSpace(brief+" "+os.Getenv("MAVEN_OPTS")),
	)
	if os.Geteuid() == 0 && safefile.CheckFolder(os.Getenv("HOME")) != nil {
		cmd.Env = append(cmd.Env, "HOME=") // sudo kept another user's HOME, whose .mavenrc Maven would run
	}
	return cmd
}

// Said runs cmd, and returns the end of its output as plain text.
func Said(cmd *exec.Cmd) (string, error) {
	said, err := proc.Said(cmd)
	return Plain(said), err
}

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// Plain returns Maven's output without colours, some of which Maven prints regardless of options.
func Plain(said []byte) string { return strings.TrimSpace(colours.ReplaceAllString(string(said), "")) }

// Folder makes the folder in the user's cache to start Maven in if there is no project: it
// contains neither a POM nor options.
func Folder() (string, error) {
	cache, err := safefile.CacheFolder()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "maven")
	// If a Maven searches for .mvn nevertheless, it finds this one first.
	return folder, safefile.MakeCache(filepath.Join(folder, ".mvn"))
}

package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"moobench/harness/fixture"
	jvmfixtures "moobench/jvm-fixtures"
	"moobench/results/safefile"
)

// sources has our Java code for JMH and for MooBench, and the coordinates of their jars.
//
//go:embed java
var sources embed.FS

// sut is the folder of MooBench's Java part in its checkout.
const sut = "tools/SuT-java"

// java has the class paths of the peers, without the jars of a variant.
type java struct {
	moobenchJava string // MooBench's Java part
	jmh          string
	loops        string // both, and the fixtures' kernel
}

// build compiles MooBench's Java part, unless its user has done so, and our side of it and of JMH.
func build(ctx context.Context, checkout, dir string) (java, error) {
	if _, err := os.Stat(filepath.Join(checkout, sut, "src")); err != nil {
		return java{}, fmt.Errorf("%s is not a checkout of MooBench: %w", checkout, err)
	}
	from, jars, classes := filepath.Join(dir, "java"), filepath.Join(dir, "jars"), filepath.Join(dir, "classes")
	if err := os.CopyFS(dir, sources); err != nil {
		return java{}, err
	}
	kernel, err := kernelJar(ctx)
	if err != nil {
		return java{}, err
	}
	// A folder .mvn here keeps Maven from reading options in a folder above, which may be writable for
	// everybody.
	if err := os.MkdirAll(filepath.Join(from, ".mvn"), 0o777); err != nil {
		return java{}, err
	}
	copyJars := []string{"-q", "-B", "-Dstyle.color=never", "dependency:copy-dependencies", "-DoutputDirectory=" + jars}
	if err := run(ctx, from, "mvn", copyJars...); err != nil {
		return java{}, err
	}
	theirs, err := moobenchJava(ctx, checkout, filepath.Join(dir, "moobench-java"), jars)
	if err != nil {
		return java{}, err
	}
	all := join(theirs, filepath.Join(jars, "*"), kernel)
	files, err := filepath.Glob(filepath.Join(from, "*.java"))
	if err != nil {
		return java{}, err
	}
	if err := run(ctx, from, "javac", append([]string{"-d", classes, "-cp", all}, files...)...); err != nil {
		return java{}, err
	}
	// Each tool gets only its own jars: JMH must not have MooBench's logger.
	var jmh, other []string
	found, err := filepath.Glob(filepath.Join(jars, "*.jar"))
	for _, jar := range found {
		base := filepath.Base(jar)
		if strings.HasPrefix(base, "jmh-core") || strings.HasPrefix(base, "jopt-simple") ||
			strings.HasPrefix(base, "commons-math3") {
			jmh = append(jmh, jar)
		} else if !strings.HasPrefix(base, "jmh-") {
			other = append(other, jar)
		}
	}
	return java{
		moobenchJava: join(theirs, join(other...)),
		jmh:          join(classes, theirs, join(jmh...)),
		loops:        join(classes, all),
	}, err
}

// kernelJar returns the jar with the timed loop from the fixtures' build.
func kernelJar(ctx context.Context) (string, error) {
	cache, err := safefile.CacheFolder()
	if err != nil {
		return "", err
	}
	b := &fixture.Builder{Sources: jvmfixtures.Sources, Cache: filepath.Join(cache, "fixtures"), Log: os.Stderr}
	built, err := b.Build(ctx)
	return built.Jar("kernel"), err
}

// moobenchJava returns the jar that the user has built, or else a folder of classes compiled from the sources.
func moobenchJava(ctx context.Context, checkout, classes, jars string) (string, error) {
	base, err := filepath.Abs(filepath.Join(checkout, sut))
	if err != nil {
		return "", err
	}
	if built, err := filepath.Glob(filepath.Join(base, "build", "libs", "*.jar")); err == nil && len(built) == 1 {
		return built[0], nil
	}
	args := []string{"-d", classes, "-cp", filepath.Join(jars, "*"), "-proc:none"}
	java := filepath.Join(base, "src", "main", "java")
	err = filepath.WalkDir(java, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".java") {
			args = append(args, path)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return classes, run(ctx, classes, "javac", args...)
}

func join(paths ...string) string { return strings.Join(paths, ":") }

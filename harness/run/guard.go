package run

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"moobench/harness/framework"
	"moobench/harness/machine"
	"moobench/harness/machine/knob"
	"moobench/refusal"
	"moobench/results/safefile"
)

// guard knows the contents of a campaign's jars and prepared classes when it began. A measured program can write
// to any file of its user, including the cache: later invocations would then run another program.
type guard struct {
	digests *safefile.Digests
	held    map[string]string // SHA-256, by path of a file or of a folder of classes
}

// newGuard reads those files and folders of classes that have not been read yet.
func newGuard(ctx context.Context, digests *safefile.Digests, paths []string) (guard, error) {
	g := guard{digests, map[string]string{}}
	for _, path := range paths {
		var err error
		if g.held[path], err = g.digest(ctx, path); err != nil {
			return guard{}, fmt.Errorf("reading what is to run: %w", err)
		}
	}
	return g, nil
}

// digest returns the digest of a file, or of the classes in a folder.
func (g guard) digest(ctx context.Context, path string) (string, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return treeDigest(ctx, g.digests, path, classFile)
	}
	return g.digests.Digest(ctx, path, framework.MostJar, safefile.Open)
}

// check returns an error if any content differs from the beginning. Only files that were touched are read again.
func (g guard) check(ctx context.Context) error {
	for _, path := range slices.Sorted(maps.Keys(g.held)) {
		is, err := g.digest(ctx, path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if was := g.held[path]; err == nil && is != was {
			err = fmt.Errorf("its SHA-256 was %s, and is %s now", was, is)
		}
		if err != nil {
			return refusal.New(fmt.Errorf("%s is not as it was when the campaign began: %w", path, err),
				"what is sealed was measured with the one before; "+
					"start a new campaign, without the program that changed it if a measured one did")
		}
	}
	return nil
}

// runs returns the paths of everything that the campaign runs: jars of the fixtures and of its variants, and
// folders of prepared classes.
func (r *Runner) runs() []string {
	var paths []string
	for _, m := range r.Fixtures.Modules() {
		paths = append(paths, r.Fixtures.Jar(m))
	}
	for variant, byAlias := range r.Artifacts.paths {
		if r.Artifacts.wrong[variant] == nil {
			paths = slices.AppendSeq(paths, maps.Values(byAlias))
		}
	}
	for _, made := range r.Artifacts.prepared {
		if made.dir != "" {
			paths = append(paths, made.dir)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// own describes where and how moobench itself runs: a measured program of the same user can change that.
type own struct{ knob.Threads }

func readOwn() own { return own{knob.ReadThreads(machine.System(), os.Getpid())} }

const (
	// A thread that started a subject keeps the inherited attributes, and ends a moment after it.
	ownLooks, ownSpan = 5, 10 * time.Millisecond
)

// moved warns, in one sentence, if an invocation changed where and how it or moobench itself runs. This warning
// comes first.
func (r *Runner) moved(a *attempt) {
	var words []string
	if a.subject != nil && a.subject.moved != "" {
		words = append(words, a.subject.moved)
	}
	if own := r.own.hold(); own != "" {
		words = append(words, own)
	}
	if len(words) > 0 {
		a.got.Warnings = append([]string{strings.Join(words, ", and ")}, a.got.Warnings...)
	}
}

// hold undoes changes to moobench itself, and describes them; "": no change.
func (o own) hold() string {
	changed := o.Changed(readOwn().Threads)
	for look := 1; changed != "" && look < ownLooks; look++ {
		time.Sleep(ownSpan)
		changed = o.Changed(readOwn().Threads)
	}
	if changed == "" {
		return ""
	}
	became := "it is put back"
	if err := o.PutBack(); err != nil {
		became = fmt.Sprintf("it could not be put back, and holds for all that follows: %v", err)
	}
	return fmt.Sprintf("of moobench itself, %s (%s)", changed, became)
}

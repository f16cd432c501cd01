package run

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"moobench/harness/machine/knob"
	"moobench/refusal"
	"moobench/results/safefile"
)

// guard knows what the jars of a campaign held when it began. A measured program can write
// whatever its user can, the cache included: what comes after it would be another program.
type guard map[string]guarded // by path

// guarded is a file as it was seen last, and what it must hold.
type guarded struct {
	seen   look
	digest string
}

// look is all that changes when a file does: nobody can set the time of its last change back.
type look struct {
	device, inode uint64
	size          int64
	changed       syscall.Timespec
}

func lookAt(path string) (look, error) {
	info, err := os.Stat(path)
	if err != nil {
		return look{}, err
	}
	s := info.Sys().(*syscall.Stat_t)
	return look{s.Dev, s.Ino, s.Size, s.Ctim}, nil
}

// readGuarded reads a file.
func readGuarded(path string) (guarded, error) {
	seen, err := lookAt(path) // first: what changes meanwhile is read again
	if err != nil {
		return guarded{}, err
	}
	digest, err := safefile.Digest(path, safefile.Open)
	return guarded{seen, digest}, err
}

// newGuard reads files.
func newGuard(paths []string) (guard, error) {
	g := guard{}
	for _, path := range paths {
		var err error
		if g[path], err = readGuarded(path); err != nil {
			return nil, fmt.Errorf("reading what is to run: %w", err)
		}
	}
	return g, nil
}

// check refuses to go on when a file holds something else than at the beginning. What was only
// touched is read again.
func (g guard) check() error {
	for _, path := range slices.Sorted(maps.Keys(g)) {
		was := g[path]
		if seen, err := lookAt(path); err == nil && seen == was.seen {
			continue
		}
		is, err := readGuarded(path)
		if err == nil && is.digest != was.digest {
			err = fmt.Errorf("its SHA-256 was %s, and is %s now", was.digest, is.digest)
		}
		if err != nil {
			return refusal.New(fmt.Errorf("%s is not as it was when the campaign began: %w", path, err),
				"what is sealed was measured with the one before; start a new campaign, without the program that changed it if a measured one did")
		}
		g[path] = is
	}
	return nil
}

// jars returns the paths of all jars that the campaign runs: those of the fixtures and of its variants.
func (r *Runner) jars() []string {
	var paths []string
	for _, m := range r.Fixtures.Modules() {
		paths = append(paths, r.Fixtures.Jar(m))
	}
	for variant, byAlias := range r.Artifacts.paths {
		if r.Artifacts.wrong[variant] == nil {
			paths = slices.AppendSeq(paths, maps.Values(byAlias))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// own is where and how moobench itself runs: a measured program of the same user can change that.
type own struct{ knob.Threads }

func readOwn() own { return own{knob.ReadThreads(os.DirFS("/"), os.Getpid())} }

const (
	// A thread that started a subject keeps what that inherits, and ends a moment after it.
	ownLooks, ownSpan = 5, 10 * time.Millisecond
)

// moved warns, in one sentence, of what an invocation changed of where and how it and moobench itself
// run. It comes first of all warnings.
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

// hold puts back what was changed of moobench itself, and says so: "" where nothing was.
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

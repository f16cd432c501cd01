package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// lab tries changes in copies of the tree.
type lab struct{ root, temp string }

// outcome is what became of the changes of a package. Those that don't compile are not tried.
type outcome struct {
	tried    int
	survived []change
	err      error
}

// Tests may take several times as long as without a change before they count as endless, because others use
// the machine as well.
const (
	patience = 10
	grace    = 20 * time.Second
	longest  = 5 * time.Minute // of tests without a change
)

// try makes the changes of a package one after the other, each of them in a fresh copy.
func (l *lab) try(ctx context.Context, p *pkg) (out outcome) {
	dir, err := os.MkdirTemp(l.temp, "")
	if err != nil {
		return outcome{err: err}
	}
	defer os.RemoveAll(dir)
	b := bench{pkg: p, root: l.root, tree: filepath.Join(dir, "tree"), temp: filepath.Join(dir, "temp"), log: filepath.Join(dir, "log")}
	limit, err := b.unchanged(ctx)
	if err != nil {
		return outcome{err: fmt.Errorf("%s without a change: %w", p.folder, err)}
	}
	for out.tried < p.wanted && ctx.Err() == nil {
		c, ok := p.next()
		if !ok {
			break
		}
		passes, compiles, err := b.passes(ctx, &c, limit)
		switch {
		case err != nil:
			out.err = fmt.Errorf("%s: %w", c, err)
			return out
		case !compiles || ctx.Err() != nil:
			continue
		case passes:
			out.survived = append(out.survived, c)
		}
		out.tried++
	}
	return out
}

// bench is where the changes of one package are tried.
type bench struct {
	*pkg
	root, tree, temp, log string
}

// unchanged runs the tests of the package as it is, and says how long they may take with a change.
func (b *bench) unchanged(ctx context.Context) (limit time.Duration, err error) {
	begin := time.Now()
	passes, compiles, err := b.passes(ctx, nil, longest)
	if err == nil && !(passes && compiles) {
		text, _ := os.ReadFile(b.log) // without it there is less to say
		err = fmt.Errorf("its tests fail: %s", bytes.TrimSpace(text[max(0, len(text)-1000):]))
	}
	return patience*time.Since(begin) + grace, err
}

// passes says whether the tests of the package pass with a change, and whether that compiles.
func (b *bench) passes(ctx context.Context, c *change, limit time.Duration) (passes, compiles bool, err error) {
	if err := errors.Join(os.RemoveAll(b.tree), os.RemoveAll(b.temp), copyTree(b.root, b.tree), os.Mkdir(b.temp, 0o777)); err != nil {
		return false, false, err
	}
	if c != nil {
		name := filepath.Join(b.tree, filepath.FromSlash(c.file))
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, c.made(text), 0o666)
		}
		if err != nil {
			return false, false, err
		}
	}
	binary := filepath.Join(b.tree, "bin", "its.test")
	build := []string{"go", "test", "-c", "-vet=off", "-trimpath", "-ldflags=-w", "-o", binary, "./" + b.folder}
	if !b.tests { // nothing can fail
		build = []string{"go", "build", "-trimpath", "./" + b.folder}
	}
	if err := b.run(ctx, longest, b.tree, build...); err != nil || !b.tests {
		return err == nil, err == nil, nil
	}
	folder := filepath.Join(b.tree, filepath.FromSlash(b.folder))
	return b.run(ctx, limit, folder, binary) == nil, true, nil
}

// run runs a command by a keeper, which leaves nothing of it behind.
func (b *bench) run(ctx context.Context, limit time.Duration, dir string, command ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.Create(b.log) // a pipe would be held open by what the command started
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, self, append([]string{keeper}, command...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	cmd.Env = append(os.Environ(), "TMPDIR="+b.temp, "CGO_ENABLED=0")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	return cmd.Run()
}

// copyTree copies the files of a tree, without those that belong to git or were built.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case d.IsDir() && slices.Contains([]string{".git", "bin", "target", "results/runs"}, strings.TrimPrefix(relative, "./")):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(target, 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, info.Mode().Perm())
	})
}

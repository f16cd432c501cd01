package testmachine

import (
	"cmp"
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/sys/unix"
)

// Kernel is a machine in memory.
type Kernel struct {
	mu    sync.Mutex
	files fstest.MapFS
	rules Rules
	away  map[string]string // files that disappear with the CPUs that SMT switches off
	held  map[string]string // earlier content of files that are held open

	operations, dieAt int
	writes, failAt    int
	dead              bool
}

// ErrDied is the panic of every operation of a Kernel from the point set by DieAt on, as if its process had
// been killed.
var ErrDied = errors.New("killed")

//go:embed testdata/*.txtar
var trees embed.FS

// Open returns the machine of this name in testdata, with additional rules.
func Open(t testing.TB, name string, rules ...string) *Kernel {
	t.Helper()
	text, err := trees.ReadFile("testdata/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	k, err := Parse(text, rules...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return k
}

// Of returns a machine with these files alone, each "path = content", whose kernel follows these rules.
func Of(files []string, rules ...string) *Kernel {
	k, err := Parse(nil, rules...)
	if err != nil {
		panic(err)
	}
	for _, f := range files {
		path, content, _ := strings.Cut(f, " = ")
		k.Put(path, content+"\n")
	}
	return k
}

// Parse reads a machine from a txtar archive, with the rules in its comment and additional ones.
func Parse(text []byte, rules ...string) (*Kernel, error) {
	a := txtar.Parse(text)
	all, err := ParseRules(string(a.Comment) + "\n" + strings.Join(rules, "\n"))
	if err != nil {
		return nil, err
	}
	k := &Kernel{files: fstest.MapFS{}, rules: all, away: map[string]string{}, held: map[string]string{}}
	for _, f := range a.Files {
		k.Put(f.Name, string(f.Data))
	}
	return k, nil
}

// Save writes a machine of testdata below dir, and its rules into a file.
func Save(name, dir, rules string) error {
	text, err := trees.ReadFile("testdata/" + name + ".txtar")
	if err != nil {
		return err
	}
	k, err := Parse(text)
	if err != nil {
		return err
	}
	return errors.Join(k.Save(dir), os.WriteFile(rules, txtar.Parse(text).Comment, 0o666))
}

// Put makes or changes a file as another program would, whatever the rules say.
func (k *Kernel) Put(path, content string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.put(path, content)
}

func (k *Kernel) put(path, content string) {
	k.files[path] = &fstest.MapFile{Data: []byte(content), Mode: 0o644}
}

// Content returns the content of all files by path.
func (k *Kernel) Content() map[string]string {
	k.mu.Lock()
	defer k.mu.Unlock()
	all := map[string]string{}
	for path, f := range k.files {
		all[path] = string(f.Data)
	}
	return all
}

// Save writes all files below dir.
func (k *Kernel) Save(dir string) error {
	for name, content := range k.Content() {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644))
		if err != nil {
			return err
		}
	}
	return nil
}

// FailAt makes the n-th write from now on, counted from 1, fail with EIO.
func (k *Kernel) FailAt(n int) { k.arm(func() { k.writes, k.failAt = 0, n }) }

// DieAt kills the process at the n-th operation from now on, counted from 1. A read counts once, a write twice:
// before and after its effect.
func (k *Kernel) DieAt(n int) { k.arm(func() { k.operations, k.dieAt, k.dead = 0, n, false }) }

// Revive starts the next process: nothing fails or dies any more, and files that were held open are closed.
func (k *Kernel) Revive() {
	k.arm(func() {
		k.dieAt, k.failAt, k.dead = 0, 0, false
		for path, content := range k.held {
			k.put(path, content)
		}
		clear(k.held)
	})
}

func (k *Kernel) arm(set func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	set()
}

func (k *Kernel) step() {
	k.operations++
	if k.dead = k.dead || k.operations == k.dieAt; k.dead {
		panic(ErrDied)
	}
}

// Open implements fs.FS.
func (k *Kernel) Open(name string) (fs.File, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.step()
	return k.files.Open(name)
}

// Writable implements machine.Tree.
func (k *Kernel) Writable(path string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.step()
	if _, err := fs.Stat(k.files, path); err != nil {
		return err
	}
	return k.rules.refuses("access", path)
}

// WriteFile implements machine.Tree.
func (k *Kernel) WriteFile(path string, data []byte) error {
	return k.change("write", path, func() error {
		if path == smtControl {
			return k.switchSMT(strings.TrimSpace(string(data)))
		}
		effects, err := k.rules.write(k.files, path, data)
		for _, e := range effects {
			k.put(e.path, e.content)
		}
		return err
	})
}

// Mkdir implements machine.Tree.
func (k *Kernel) Mkdir(path string) error {
	return k.change("mkdir", path, func() error {
		if err := k.rules.mayMake(k.files, path); err != nil {
			return err
		}
		for _, e := range group(k.files, path) {
			k.put(e.path, e.content)
		}
		return nil
	})
}

// Remove implements machine.Tree.
func (k *Kernel) Remove(path string) error {
	return k.change("rmdir", path, func() error {
		if err := k.rules.mayRemove(k.files, path); err != nil {
			return err
		}
		for name := range k.files {
			if strings.HasPrefix(name, path+"/") {
				delete(k.files, name)
			}
		}
		return nil
	})
}

// HoldOpen changes a file until release, as a knob does that is held open.
func (k *Kernel) HoldOpen(path string, data []byte) (release func() error, err error) {
	err = k.change("open", path, func() error {
		before, err := fs.ReadFile(k.files, path)
		if err = cmp.Or(err, k.rules.refuses("open", path)); err != nil {
			return err
		}
		k.held[path] = string(before)
		k.put(path, string(data))
		return nil
	})
	return func() error {
		return k.change("close", path, func() error {
			k.put(path, k.held[path])
			delete(k.held, path)
			return nil
		})
	}, err
}

func (k *Kernel) change(op, path string, do func() error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.step()
	if k.writes++; k.writes == k.failAt {
		return &fs.PathError{Op: op, Path: path, Err: unix.EIO}
	}
	if err := do(); err != nil {
		return err
	}
	k.step()
	return nil
}

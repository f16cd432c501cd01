package machine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/knob"
	"moobench/harness/proc"
	"moobench/refusal"
	"moobench/results/safefile"
)

// JournalVar names the environment variable that says where the journal is.
const JournalVar = "MOOBENCH_JOURNAL"

const journalFormat = 1

// journal is what a moobench has changed, or is about to. It is written before the
// change, so that the machine can be put back however moobench ends.
type journal struct {
	Format   int     `json:"format"`
	PID      int     `json:"pid"`
	Start    string  `json:"start"` // of the process, as in /proc/<pid>/stat
	Boot     string  `json:"boot"`  // the kernel's boot ID, "" where it has none
	Campaign string  `json:"campaign"`
	Entries  []entry `json:"entries"` // in the order of the changes, each path once

	path string
	kept bool // it is on disk
}

// entry is one changed file.
type entry struct {
	Knob  string          `json:"knob"`
	Path  string          `json:"path"` // rooted, without leading slash
	Kind  knob.ChangeKind `json:"kind,omitempty"`
	Found string          `json:"found"` // the whole content
	Undo  string          `json:"undo,omitempty"`
	Wrote string          `json:"wrote,omitempty"`
	// Got is the whole content after the change; nil is unknown: it may not even have
	// been changed.
	Got *string `json:"got"`
}

// JournalPath is where the next moobench looks for what this one changed:
// $MOOBENCH_JOURNAL, else /var/lib/moobench/machine.journal or a file in the user's cache
// folder: the one that exists, or the first that can be written. Root uses the first: the
// cache folder of a HOME that sudo has kept is another user's.
func JournalPath() string {
	if path := os.Getenv(JournalVar); path != "" {
		return path
	}
	const system = "/var/lib/moobench/machine.journal"
	cache, err := safefile.CacheFolder()
	if err != nil || os.Geteuid() == 0 {
		return system
	}
	own := filepath.Join(cache, "machine.journal")
	for _, path := range []string{system, own} {
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	dir := filepath.Dir(system)
	for _, err := os.Stat(dir); err != nil; _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	if unix.Access(dir, unix.W_OK) == nil {
		return system
	}
	return own
}

// largestJournal is far more than all files of a machine with a thousand CPUs take.
const largestJournal = 64 << 20

// readJournal returns nil when there is none. A file that another user can have written
// is refused: what it says would be done as root.
func readJournal(path string) (*journal, error) {
	const reading = "reading the journal of what was changed on this machine"
	data, err := safefile.ReadOwn(path, largestJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if refused := (*safefile.Refusal)(nil); errors.As(err, &refused) {
		return nil, refusal.New(fmt.Errorf("%s: %w", reading, err), "look at what it says, and remove it; or set "+JournalVar+" to a file that only this user can change")
	}
	if err != nil {
		return nil, refusal.New(fmt.Errorf("%s: %w", reading, err), "run it as the user who owns that file, or with sudo")
	}
	j := journal{path: path, kept: true}
	if err := cmp.Or(json.Unmarshal(data, &j), j.check()); err != nil {
		return nil, refusal.New(fmt.Errorf("%s: %s is damaged: %w", reading, path, err),
			"what it still says was found can be written back by hand; then remove the file, or restart the machine and remove it")
	}
	return &j, nil
}

// undoKeys are what a journal holds of each change: a file without any of them says of none.
var undoKeys = []string{`"path"`, `"found"`}

// SetAside gives a journal in which nothing could be undone another name, which it returns: whoever
// may write there could else end all campaigns with it. moobench writes none like that, and the
// content stays. A journal that says what was found, or may have said so, is left where it is, and
// the name is "". The machine must be locked.
func SetAside(path string) (kept string, err error) {
	data, err := safefile.ReadOwn(path, largestJournal)
	if err != nil {
		return "", nil // there is none, or reading it says why
	}
	j := journal{}
	if json.Unmarshal(data, &j) == nil && j.check() == nil && len(j.Entries) > 0 {
		return "", nil
	}
	for _, key := range undoKeys {
		if bytes.Contains(bytes.ToLower(data), []byte(key)) {
			return "", nil
		}
	}
	const most = 1000
	for n := 1; n <= most; n++ {
		kept = fmt.Sprintf("%s.aside-%d", path, n)
		if err = os.Link(path, kept); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		return "", fmt.Errorf("setting aside a journal in which nothing can be undone: %w", err)
	}
	return kept, nil
}

// check makes sure that nothing but settings of the kernel is ever written because of a
// file.
func (j *journal) check() error {
	if j.Format != journalFormat {
		return fmt.Errorf("its format is %d, and this moobench knows %d", j.Format, journalFormat)
	}
	knobs := map[string]knob.Knob{}
	for _, k := range knob.All() {
		knobs[k.Name] = k
	}
	for _, e := range j.Entries {
		if !fs.ValidPath(e.Path) || !knobs[e.Knob].Writes(e.Path) {
			return fmt.Errorf("%q is no file of the setting %q", e.Path, e.Knob)
		}
		if e.Kind != knob.ChangeWrite && e.Kind != knob.ChangeGuard && e.Kind != knob.ChangeMake {
			return fmt.Errorf("%q is no kind of change", e.Kind)
		}
	}
	return nil
}

// save puts the journal on disk as a whole: a power cut leaves the previous one or this
// one. An empty journal is removed.
func (j *journal) save() error {
	var err error
	switch {
	case len(j.Entries) > 0:
		err = j.replace()
	case !j.kept:
		return nil // whatever is there is not ours
	default:
		if err = os.Remove(j.path); err == nil || errors.Is(err, fs.ErrNotExist) {
			err = safefile.Sync(filepath.Dir(j.path))
		}
	}
	if err != nil {
		return refusal.New(fmt.Errorf("keeping the journal of what is changed on this machine: %w", err), "set "+JournalVar+" to a file that can be written, and that outlives a restart")
	}
	j.kept = len(j.Entries) > 0
	return nil
}

func (j *journal) replace() error {
	if err := j.check(); err != nil { // it could not be read again
		return err
	}
	dir := filepath.Dir(j.path)
	data, err := json.MarshalIndent(j, "", " ")
	if err != nil {
		return err
	}
	if err := cmp.Or(os.MkdirAll(dir, 0o755), safefile.CheckFolder(dir)); err != nil {
		return err
	}
	err = safefile.Renew(j.path, 0o644, func(w io.Writer) error { _, err := w.Write(append(data, '\n')); return err })
	return cmp.Or(err, safefile.Sync(dir))
}

// add enters what is about to be changed. A file that is in the journal already keeps
// what was found first, and its present content becomes unknown.
func (j *journal) add(e entry) {
	i := j.index(e.Path)
	if i < 0 {
		j.Entries = append(j.Entries, e)
		return
	}
	j.Entries[i].Got = nil
	if e.Kind != knob.ChangeGuard {
		j.Entries[i].Wrote = e.Wrote
	}
}

func (j *journal) index(path string) int {
	return slices.IndexFunc(j.Entries, func(e entry) bool { return e.Path == path })
}

// within reports that path is in a folder that moobench makes: it goes when the folder
// goes.
func within(entries []entry, path string) bool {
	return slices.ContainsFunc(entries, func(e entry) bool {
		return e.Kind == knob.ChangeMake && strings.HasPrefix(path, e.Path+"/")
	})
}

// bystanders are the files that are as we left them, except those that are about to be
// changed: any of them may change along.
func (j *journal) bystanders(root fs.FS, changed []entry) []entry {
	var all []entry
	for _, e := range j.Entries {
		now, err := content(root, e)
		foreign := e.Got == nil || setting(now) != setting(*e.Got)
		in := slices.ContainsFunc(changed, func(c entry) bool { return c.Path == e.Path })
		if err == nil && e.Kind != knob.ChangeMake && !foreign && !in {
			all = append(all, entry{Knob: e.Knob, Path: e.Path, Kind: knob.ChangeGuard, Found: now})
		}
	}
	return all
}

// refresh enters what the files hold after they were changed. The content of a file that
// is gone, with a CPU that was switched off, is unknown.
func (j *journal) refresh(root fs.FS, changed []entry) {
	for _, e := range changed {
		if i := j.index(e.Path); i >= 0 {
			j.Entries[i] = j.Entries[i].refreshed(root)
		}
	}
}

// alive reports that the process that keeps the journal is still there.
func (j *journal) alive(root fs.FS) bool {
	if j.rebooted(root) {
		return false
	}
	there, start := proc.Running(j.PID)
	return there && (start == j.Start || start == "")
}

// rebooted reports that the machine was restarted since. Where the kernel has no boot ID
// that is unknown, and the content of the files decides.
func (j *journal) rebooted(root fs.FS) bool {
	now := randomBootID(root)
	return now != "" && j.Boot != "" && now != j.Boot
}

// content is the whole content of an entry's file. A folder has none, and a missing one
// is an fs.ErrNotExist.
func content(root fs.FS, e entry) (string, error) {
	if e.Kind == knob.ChangeMake {
		_, err := fs.Stat(root, e.Path)
		return "", err
	}
	b, err := fs.ReadFile(root, e.Path)
	if err == nil && !utf8.Valid(b) {
		return "", fmt.Errorf("/%s holds no text", e.Path)
	}
	return string(b), err
}

// setting is the value in a content: the chosen word of a choice, else all of it.
func setting(content string) string { return strings.TrimSpace(knob.Chosen(content)) }

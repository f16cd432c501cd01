// Package trace runs a user's program with the agent that logs events, and shows the activity of
// its threads: which methods of which objects they were in, when, and who called whom; or which
// locks they held, and who waited for whom.
package trace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/analysis/chapter/locks"
	"moobench/analysis/chapter/threads"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/page"
	"moobench/cmd/internal/console"
	"moobench/harness/jvm"
	"moobench/harness/pattern"
	"moobench/refusal"
	"moobench/results/events"
	"moobench/results/safefile"
)

// Wanted is a program to run, and what to monitor.
type Wanted struct {
	verb     string // trace or locks
	command  []string
	patterns []string         // with signs
	given    given            // origin of the patterns
	Window   [2]time.Duration // since the first event; second value 0: up to the last
	Against  string           // folder or file of earlier runs; "": no comparison
	kept     string           // folder of logs to read again; "": a program is run
	// locks lists, separated by commas, the lock events to log besides acquisition and release; "":
	// methods are traced.
	locks string
}

// timers are the lock events that are always logged.
const timers = "timers"

// logged returns the optional kinds of lock events.
func logged() []string { return []string{"contention", "callers", "calls", "explicit", "methods"} }

// Parse parses the classes, annotations and patterns to monitor. The error lists all mistakes.
func Parse(command, classes, annotations, patterns []string) (Wanted, error) {
	w := Wanted{
		verb: Trace, command: command,
		given: given{Classes: classes, Annotations: annotations, Patterns: patterns},
	}
	var wrong []error
	named := func(what, name string, every func(name string) string) {
		written := pattern.Named(name)
		if err := pattern.CheckClass(written); err != nil {
			err = refusal.New(fmt.Errorf("--%s: %w", what, err), "with its package, such as com.acme.Queue")
			wrong = append(wrong, err)
			return
		}
		w.patterns = append(w.patterns, "+ "+every(written))
	}
	for _, c := range classes {
		named("class", c, pattern.Every)
	}
	for _, a := range annotations {
		named("annotation", a, pattern.EveryAnnotated)
	}
	wrong = append(wrong, w.add("--pattern", patterns)...)
	if len(w.patterns)+len(wrong) == 0 {
		wrong = append(wrong, refusal.New(errors.New("nothing is monitored"),
			"say what: --class com.acme.Queue, --annotation com.acme.Monitored, or --pattern 'com.acme..*.*(..)'"))
	}
	return w, errors.Join(wrong...)
}

// ParseLocks parses which locks of a program to log: in which methods (all by default), and which
// events. The file has a pattern in each line.
func ParseLocks(command, patterns []string, file string, log []string) (Wanted, error) {
	w := Wanted{verb: Locks, command: command, given: given{Log: log}}
	w.locks = strings.Join(append([]string{timers}, log...), ",")
	var wrong []error
	for _, l := range log {
		if !slices.Contains(logged(), l) {
			wrong = append(wrong, refusal.New(fmt.Errorf("--log %q is unknown", l),
				"take one of "+strings.Join(logged(), ", ")+`, or --log "" for none of them`))
		}
	}
	if file != "" {
		text, err := safefile.Read(file, pattern.FileMost)
		if err != nil {
			return w, fmt.Errorf("reading patterns: %w", err)
		}
		pattern.Lines(string(text), func(line int, p string) {
			wrong = append(wrong, w.add(fmt.Sprintf("%s:%d", file, line), []string{p})...)
		})
	}
	wrong = append(wrong, w.add("--pattern", patterns)...)
	w.given.Patterns = slices.Clone(w.patterns)
	if len(w.patterns) == 0 || pattern.Sign(w.patterns[0]) == "-" { // exclusions alone: start with everything
		w.patterns = append([]string{"+ *"}, w.patterns...)
	}
	return w, errors.Join(wrong...)
}

// add adds patterns that may lack their sign, and returns their mistakes.
func (w *Wanted) add(where string, patterns []string) (wrong []error) {
	for _, p := range patterns {
		text := pattern.Canonical(p)
		if pattern.Sign(text) == "" {
			text = "+ " + text
		}
		if err := pattern.Check(pattern.Unsigned(text)); err != nil {
			wrong = append(wrong, refusal.New(fmt.Errorf("%s: %w", where, err), "such as 'com.acme..*.*(..)'"))
		}
		w.patterns = append(w.patterns, text)
	}
	return wrong
}

// agent returns the JVM's arguments.
func (w *Wanted) agent(jars jvm.AgentJars, dir string) []string {
	probe := []string{"-Dmoobench.hotswap.probe=events", "-Dmoobench.events.waits=true"}
	if w.locks != "" {
		probe = []string{"-Dmoobench.hotswap.probe=locks", "-Dmoobench.events.locks=" + w.locks}
	}
	return append(append([]string{"-javaagent:" + jars.Agent}, probe...),
		"-Dmoobench.hotswap.kernel="+jars.Kernel, "-Dmoobench.hotswap.probes="+jars.Probes,
		"-Dmoobench.hotswap.patterns="+pattern.ASCII(strings.Join(w.patterns, "; ")), "-Dmoobench.dir="+dir)
}

// Result holds the logs of a program.
type Result struct {
	wanted   Wanted
	runs     [][]string // logs of each run
	files    []string   // logs of the reported run, the first
	unread   []error    // errors of unreadable logs
	compared *locks.Comparison
}

// Fresh refuses a folder with logs, because two programs or two runs would be reported as one.
func Fresh(dir string) error {
	runs, err := runFiles(dir)
	if err != nil {
		return fmt.Errorf("looking for events: %w", err)
	}
	if len(runs) == 0 || len(runs[0]) == 0 {
		if _, err := readRun(dir); err != nil && !errors.Is(err, fs.ErrNotExist) { // the file would be overwritten
			return refusal.New(err, "name a folder without a "+runFile)
		}
		return nil
	}
	err = fmt.Errorf("%s holds the logs of another run (%s)", dir, filepath.Base(runs[0][0]))
	return refusal.New(err, "name a folder without any")
}

// Find finds the logs of a program's JVMs.
func Find(w Wanted, dir string) (*Result, error) {
	runs, err := runFiles(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for events: %w", err)
	}
	if len(runs) == 0 || len(runs[0]) == 0 {
		return nil, refusal.New(errors.New("no JVM logged anything"),
			"is it a Java program of JDK 8 or later? It must take JAVA_TOOL_OPTIONS from its environment")
	}
	return &Result{wanted: w, runs: runs, files: runs[0]}, nil
}

// title returns a report's title: the command, or the folder if the command is unknown.
func (w *Wanted) title() string {
	if len(w.command) == 0 {
		return "the logs in " + w.kept
	}
	return short(w.command)
}

// short shortens a command for a title: files without their folders, cut to one line.
func short(command []string) string {
	const longest = 70
	words := make([]string, len(command))
	for i, w := range command {
		words[i] = w
		if filepath.IsAbs(w) {
			words[i] = filepath.Base(w)
		}
	}
	title := []rune(strings.Join(words, " "))
	if len(title) > longest {
		title = append(title[:longest-1], '…')
	}
	return string(title)
}

func (r *Result) open(name string, read func(in io.ReadSeeker, pid int) error) error {
	f, err := safefile.Open(name)
	if err != nil {
		return fmt.Errorf("opening events: %w", err)
	}
	defer f.Close()
	pid, _ := events.PID(name)
	if err := read(f, pid); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return nil
}

// Formats returns the endings of file names by format; locks have more of them.
func Formats(locks bool) []string {
	all := []string{".html", ".dot", ".json", ".folded"}
	if locks {
		all = append(all, ".csv", metricsCSV, metricsJSON)
	}
	return all
}

// Knows reports whether a file's name ends with one of the formats.
func Knows(name string, formats []string) bool { return slices.Contains(formats, filepath.Ext(name)) }

// Foreword is printed before the program starts, to explain its JVMs' first messages.
const Foreword = "moobench: each JVM takes the agent from JAVA_TOOL_OPTIONS and says so; " +
	"its warning about sharing of classes is due to the agent, too, and harmless"

// Save writes a file in the format given by the ending of its name.
func (r *Result) Save(name, version string) error {
	write := func(w io.Writer) error {
		return r.each(func(in io.ReadSeeker, pid int) error {
			switch filepath.Ext(name) {
			case ".dot":
				_, g, err := threads.Follow(in, r.closely())
				if err != nil {
					return err
				}
				return g.WriteDot(w, r.wanted.marks())
			case ".csv":
				return locks.WriteCSV(in, w)
			case ".json":
				return threads.WriteChrome(in, w, pid)
			default:
				return threads.Stacks(in, w)
			}
		})
	}
	switch {
	case r.wanted.verb == Locks && (strings.HasSuffix(name, metricsCSV) || strings.HasSuffix(name, metricsJSON)):
		write = func(w io.Writer) error { return r.saveMetrics(w, name, version) }
	case filepath.Ext(name) == ".html":
		write = func(w io.Writer) error {
			d, err := r.document(true)
			if err != nil {
				return err
			}
			text, _, err := page.Render(d, page.Options{Version: version})
			if err != nil {
				return err
			}
			_, err = w.Write(text)
			return err
		}
	}
	return safefile.Replace(name, write)
}

// each reads the largest log: the formats of other tools hold only one program.
func (r *Result) each(read func(in io.ReadSeeker, pid int) error) error {
	largest, most := "", int64(-1)
	for _, name := range r.files {
		if info, err := os.Stat(name); err == nil && info.Size() > most {
			largest, most = name, info.Size()
		}
	}
	return r.open(largest, read)
}

// Print prints the report.
func (r *Result) Print(c console.Console) error {
	d, err := r.document(false)
	if err != nil {
		return err
	}
	return doc.Text(c.Out, d, doc.TextOptions{Width: c.Width()})
}

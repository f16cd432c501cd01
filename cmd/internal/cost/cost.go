// Package cost measures an agent's cost without a file: it turns a question on the command line
// into a benchmarks.toml, which is then read like any other.
package cost

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/harness/framework"
	"moobench/harness/run"
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// Question is a question about an agent. Empty fields have defaults.
type Question struct {
	Agent   string // a jar, Maven coordinates, or a name in the catalogue
	As      string // catalogue framework whose options the user's own agent takes; "": none
	Home    string // installation folder of an agent that can't be fetched
	Against string // another agent, which this one may not be much slower than

	// The program: a command that runs to its end, or a server and the paths to request. By
	// default, moobench's own method is measured.
	Command []string
	Server  string
	Get     []string
	Ready   string   // path that shows that the server is up; default: the first of Get
	Expect  string   // regular expression for the server's answers or the command's output
	Rate    int      // requests per second; 0: half the server's capacity
	Within  string   // longest time for the server to start, or for any other run
	Env     []string // NAME=value of the program's environment
	JDK     string   // JDK folder

	Args    []string // of a JVM with the agent
	Pattern string   // of what is monitored
	Proof   string   // as in the file, or short: see proof

	WorseBy   string            // the gate's limit; "": no gate
	Limits    map[string]string // limits on other quantities, by flag
	Quick     bool
	Blocks    int
	Precision string
	Memory    int // runs per variant that measure memory alone; -1: the default

	Save string // file to save the benchmarks.toml in; "": none
}

// Open writes the benchmarks.toml, reads it, and plans it. If a name stands for several variants,
// the first ones that can be planned are used.
func (q *Question) Open(lab *session.Lab, o session.Options) (*session.Session, error) {
	if err := q.check(); err != nil {
		return nil, outcome.Usage(err)
	}
	set, err := framework.Catalogue()
	if err != nil {
		return nil, err
	}
	agents, err := q.subjects(set, q.Agent)
	if err != nil {
		return nil, outcome.Usage(err)
	}
	if len(agents[0].sections) == 0 && (len(q.Args) > 0 || q.Proof != "") {
		wrong := fmt.Errorf("--arg and --proof are for a jar of your own, and %s has its own", agents[0].variant)
		return nil, outcome.Usage(refusal.New(wrong,
			"a variant of the catalogue is changed in a file: moobench init"))
	}
	if hint := q.distribution(agents[0]); hint != "" && !o.Quiet {
		fmt.Fprintln(lab.Err, hint)
	}
	others := []subject{{}}
	if _, options, given := strings.Cut(q.Agent, ".jar="); given && strings.HasSuffix(q.Against, ".jar") {
		q.Against += "=" + options
	}
	if q.Against != "" {
		if others, err = q.subjects(set, q.Against); err != nil {
			return nil, outcome.Usage(err)
		}
	}
	var s *session.Session
	var why []error
	path := cmp.Or(q.Save, "cost.toml") // if the user doesn't save it, messages and relative paths assume this file
	for _, agent := range agents {
		for _, other := range others {
			other := agent.against(other)
			text := q.text(agent, other)
			if s, err = lab.Parse(o, path, text); err != nil {
				why = append(why, err)
				continue
			}
			if q.Server == "" || q.Rate > 0 || o.Dry {
				return s, q.save(text)
			}
			s.Adapt = func(found run.Rehearsed) ([]byte, error) {
				q.Rate = q.borne(lab, found, o.Quiet)
				text := q.text(agent, other)
				return text, q.save(text)
			}
			return s, q.unsaved()
		}
	}
	if q.use() != "overhead" { // variants for programs come first, so the first error is the useful one
		return nil, unplaced(why[0])
	}
	return nil, unplaced(why[len(why)-1])
}

const (
	// usualRate is used if the server's capacity is unknown.
	usualRate = 100
	// highestRate caps the chosen rate: load generator and server share this machine.
	highestRate = 500
)

// borne returns half of the server's capacity, in requests per second, to two digits.
func (q *Question) borne(lab *session.Lab, found run.Rehearsed, quiet bool) int {
	if found.Capacity <= 0 {
		return usualRate
	}
	rate := min(found.Capacity/2, highestRate)
	if step := math.Pow(10, math.Floor(math.Log10(rate))-1); step >= 1 {
		rate = math.Floor(rate/step) * step
	}
	chosen := max(1, int(rate))
	if !quiet {
		fmt.Fprintf(lab.Err, "it answered %.2g requests a second without an agent: %d are sent (--rate sends others)\n",
			found.Capacity, chosen)
	}
	return chosen
}

// check refuses options that contradict each other.
func (q *Question) check() error {
	own := q.Server != "" || len(q.Command) > 0
	if err := q.checkLimits(); err != nil {
		return err
	}
	switch {
	case q.Server != "" && len(q.Command) > 0:
		return errors.New("--server and a command after -- are two programs: give one")
	case !own && q.Expect != "":
		return errors.New("--expect is for a program of yours: give --server, or a command after --")
	case !own && len(q.Env) > 0 && !strings.Contains(q.Agent, ".jar") && !strings.HasSuffix(q.Agent, ".so"):
		return refusal.New(errors.New("-e is for a program of yours or a jar of your own"),
			"a variant of the catalogue is changed in a file: moobench init")
	case own && q.Memory >= 0:
		return errors.New("--memory-runs is for a method of ours: with a program, memory is measured in every run")
	case slices.ContainsFunc(q.Env, func(e string) bool { return strings.IndexByte(e, '=') < 1 }):
		return errors.New("-e sets NAME=VALUE")
	case q.Blocks < 0:
		return errors.New("--blocks is a number of blocks")
	case q.Rate < 0:
		return errors.New("--rate is a number of requests per second")
	case q.Server != "" && strings.TrimSpace(q.Server) == "":
		return errors.New("--server is blank: it takes the command that starts your server")
	case q.Server != "" && len(q.Get) == 0:
		return refusal.New(errors.New("no request is given"), "name a path to request: --get /")
	}
	return nil
}

// save writes the file where it is wanted.
func (q *Question) save(text []byte) error {
	if q.Save == "" {
		return nil
	}
	err := safefile.New(q.Save, 0o666, func(w io.Writer) error { _, err := w.Write(text); return err })
	if errors.Is(err, os.ErrExist) {
		return q.exists()
	}
	return err
}

// unsaved refuses an existing file early, before its text is known.
func (q *Question) unsaved() error {
	if q.Save == "" {
		return nil
	}
	if _, err := os.Lstat(q.Save); err == nil {
		return q.exists()
	}
	return nil
}

// Pin adds the checksums of fetched, unpinned files to the saved benchmarks.toml: a later run
// measures the same files or refuses.
func (q *Question) Pin(s *session.Session) error {
	if q.Save == "" {
		return nil
	}
	store, err := results.Open(s.Dir)
	if err != nil {
		return err
	}
	text, err := safefile.Read(q.Save, mostFile)
	if err != nil {
		return err
	}
	set, err := session.Frameworks(s.File)
	if err != nil {
		return err
	}
	pins := map[string]string{}
	for _, c := range store.Campaign().Cells {
		v, err := set.Variant(c.Variant)
		if err != nil {
			continue // the variant comes from another file
		}
		for _, a := range v.Artifacts {
			i := slices.IndexFunc(c.Launch.Artifacts, func(seen results.Artifact) bool {
				return seen.Name == a.Maven && seen.SHA256 != ""
			})
			if a.SHA256 == "" && !a.Moves() && i >= 0 {
				pins[a.Maven] = c.Launch.Artifacts[i].SHA256
			}
		}
	}
	if len(pins) == 0 {
		return nil
	}
	measured := &strict.Draft{}
	digests := measured.Table("sha256")
	for _, coordinates := range slices.Sorted(maps.Keys(pins)) {
		digests.Set(coordinates, pins[coordinates])
	}
	text = slices.Concat(text, []byte("\n"), measured.Text("What was measured."))
	return safefile.Replace(q.Save, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// mostFile is the size limit, in bytes, for reading back a benchmarks.toml that we wrote.
const mostFile = 1 << 20

func (q *Question) exists() error {
	return refusal.New(fmt.Errorf("%s exists and is not overwritten", q.Save), "name another file with --save")
}

// unplaced returns the mistakes without their line numbers: the user never saw the file.
func unplaced(err error) error {
	mistakes, ok := errors.AsType[strict.Errors](err)
	if !ok {
		return err
	}
	var all []error
	for i, m := range mistakes {
		if !slices.ContainsFunc(mistakes[:i], func(o *strict.Error) bool { return o.Msg == m.Msg }) {
			all = append(all, refusal.New(errors.New(m.Msg), m.Hint))
		}
	}
	return outcome.Usage(errors.Join(all...))
}

// rooted returns a path for the file: absolute, unless the file is saved in the folder that the
// path is relative to.
func (q *Question) rooted(path string) string {
	if whole, err := filepath.Abs(path); err == nil && (q.Save == "" || filepath.Dir(q.Save) != ".") {
		return whole
	}
	return path
}

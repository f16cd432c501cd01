package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/harness/lane"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/refusal"
	"moobench/results"
)

// lanesSuffix ends the name of the folder for the lanes' shards.
const lanesSuffix = ".lanes"

// RunLanes measures the plan in the file planned, in several lanes of this machine at once. Each
// lane is a process with its own cores, lock and shard. In some turns all lanes measure a block, in
// others only one, which shows how they influence each other. The shards are merged into one
// campaign.
func (s *Session) RunLanes(ctx context.Context, planned string) error {
	dir := cmp.Or(s.Dir, FreeFolder(RunsFolder, time.Now(), s.File.Name))
	if there, err := s.isMerged(dir); err != nil || there {
		return err
	}
	cores, err := s.laneCores()
	if err != nil {
		return err
	}
	again := fmt.Sprintf("nothing sealed is lost; go on with: moobench run --lanes %d -o %s %s", s.Lanes, dir, planned)
	l := &lanes{session: s, plan: planned, dir: dir + lanesSuffix, cores: cores}
	m := &measuring{Session: s, dir: dir, hint: again}
	measure := phase{
		name: "lanes", does: "has each lane measure its shard",
		run: func(m *measuring, ctx context.Context) (undo func() error, err error) {
			if err := l.measure(ctx); err != nil {
				return nil, refusal.New(err, m.hint)
			}
			return nil, nil
		},
	}
	merge := phase{
		name: "merge", does: "makes one campaign of the shards, and answers",
		run: func(m *measuring, ctx context.Context) (undo func() error, err error) {
			err = m.lab.Merge(ctx, l.files(), dir, false)
			if results.HasCampaign(dir) {
				err = errors.Join(err, os.RemoveAll(l.dir))
			}
			return nil, err
		},
	}
	// Each lane keeps its own jars.
	early := slices.DeleteFunc(between("suit", "keep"), func(p phase) bool { return p.name == "keep" })
	quieten, putBack := between("quieten", "quieten"), between("put back", "put back")
	return m.carry(ctx, slices.Concat(early, quieten, []phase{measure}, putBack, []phase{merge}))
}

// isMerged reports whether the lanes' campaign exists already.
func (s *Session) isMerged(dir string) (bool, error) {
	if !results.HasCampaign(dir) {
		return false, nil
	}
	store, err := results.Open(dir)
	if err != nil {
		return false, err
	}
	if c := store.Campaign(); c.Merged == nil || c.PlanHash != s.Plan.Campaign.PlanHash {
		err := fmt.Errorf("%s is there already, and belongs to another plan", dir)
		return false, outcome.Usage(refusal.New(err, "choose another folder with -o"))
	}
	_, err = fmt.Fprintf(s.lab.Out, "it is there already: %s\n", console.Visible(dir))
	return true, err
}

// laneCores returns the CPUs of each lane, and refuses plans that can't be measured in lanes. A
// plan that chooses CPUs itself excludes lanes.
func (s *Session) laneCores() ([]cpu.Set, error) {
	if s.frozen == nil {
		return nil, notFrozen("the plan is not frozen: a pilot would decide in each lane for itself")
	}
	if _, err := s.Plan.Turns(s.Lanes); err != nil {
		return nil, outcome.Usage(err)
	}
	cpuset := slices.ContainsFunc(s.File.Machine.Knobs, func(k results.KnobState) bool {
		return k.Name == "cpuset" && k.Policy != results.PolicyObserve
	})
	if s.File.Machine.PinPolicy != "" || cpuset {
		err := errors.New("[machine] says which CPUs are measured, and each lane has its own")
		return nil, outcome.Usage(refusal.New(err, "take pin and cpuset out of it, or measure without --lanes"))
	}
	allowed, err := cpu.Allowed()
	topology, unread := cpu.ReadTopology(s.lab.Tree)
	if err := cmp.Or(err, unread); err != nil {
		return nil, err
	}
	cores, err := topology.Lanes(allowed, s.Lanes)
	if err != nil {
		return nil, outcome.Usage(err)
	}
	return cores, nil
}

// tellLanes describes how the plan is measured in lanes.
func (s *Session) tellLanes() (string, error) {
	cores, err := s.laneCores()
	if err != nil {
		return "", err
	}
	t, err := s.Plan.Turns(s.Lanes)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("lanes: %d, on CPU %s; %s in %s, %d of each lane while the others are idle: "+
		"what they do to each other is measured; about %s of the time",
		s.Lanes, strings.Join(results.Each(cores, cpu.Set.String), " | "), figure.Plural(t.Blocks, "block", "blocks"),
		figure.Plural(t.Turns, "turn", "turns"), t.Alone, figure.Percent(float64(t.Turns)/float64(t.Blocks))), nil
}

// lanes are the running lanes of a machine.
type lanes struct {
	session *Session
	plan    string // file name given by the user
	dir     string
	cores   []cpu.Set
}

func (l *lanes) file(lane int) string { return filepath.Join(l.dir, fmt.Sprintf("lane-%d.tar", lane)) }

// files returns the files of all shards.
func (l *lanes) files() (all []string) {
	for lane := 1; lane <= len(l.cores); lane++ {
		all = append(all, l.file(lane))
	}
	return all
}

// measure runs all lanes.
func (l *lanes) measure(ctx context.Context) error {
	if err := os.MkdirAll(l.dir, 0o777); err != nil {
		return fmt.Errorf("making the folder of the lanes: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("starting the lanes: %w", err)
	}
	var all []lane.Process
	for i, cores := range l.cores {
		cmd := exec.Command(self)
		cmd.Args = append(os.Args[:1:1], l.arguments(i+1)...)
		own := func(kind string) string { return filepath.Join(l.dir, fmt.Sprintf("lane-%d.%s", i+1, kind)) }
		cmd.Env = append(os.Environ(), machine.LockVar+"="+own("lock"), machine.JournalVar+"="+own("journal"))
		cmd.Stdout, cmd.Stderr = l.session.lab.Err, l.session.lab.Err
		sealed := func() bool { // a sealed shard itself names the cells without an answer
			_, err := os.Stat(l.file(i + 1))
			return err == nil
		}
		all = append(all, lane.Process{Cores: cores, Command: cmd, Done: sealed})
	}
	return lane.Run(ctx, all, l.tell)
}

// tell prints which lanes are measuring.
func (l *lanes) tell(t lane.Turn) {
	who := fmt.Sprintf("%d lanes at once", len(t.Lanes))
	if len(t.Lanes) == 1 {
		who = fmt.Sprintf("lane %d alone", t.Lanes[0])
	}
	if !l.session.Quiet {
		fmt.Fprintf(l.session.lab.Err, "turn %d: %s\n", t.Number, who)
	}
}

// arguments returns the command-line arguments of a lane.
func (l *lanes) arguments(lane int) []string {
	s, shard := l.session, results.Shard{Index: lane, Count: len(l.cores)}
	args := []string{"run", "--quiet", "--lane", "--shard", shard.String(), "-o", l.file(lane)}
	if s.Going {
		args = append(args, "--keep-going")
	}
	if s.Kept != "" {
		args = append(args, "--artifacts", s.Kept)
	}
	return append(args, l.plan)
}

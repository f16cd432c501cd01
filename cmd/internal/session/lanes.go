package session

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/proc"
	"moobench/refusal"
	"moobench/results"
)

// lanesSuffix ends the name of the folder that lanes leave their shards in.
const lanesSuffix = ".lanes"

// RunLanes measures a plan, which the user calls by a name, in several lanes of this machine at once: each is a process
// with cores, a lock and a shard of its own. They take turns: all of them measure a block, or one alone, which shows
// what they do to each other. What all have measured is merged into one campaign.
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
	// What may be another one tomorrow is kept by each lane.
	early := slices.DeleteFunc(between("suit", "keep"), func(p phase) bool { return p.name == "keep" })
	quieten, putBack := between("quieten", "quieten"), between("put back", "put back")
	return m.carry(ctx, slices.Concat(early, quieten, []phase{measure}, putBack, []phase{merge}))
}

// isMerged says whether the campaign of all lanes is there already.
func (s *Session) isMerged(dir string) (bool, error) {
	if !results.HasCampaign(dir) {
		return false, nil
	}
	store, err := results.Open(dir)
	if err != nil {
		return false, err
	}
	if c := store.Campaign(); c.Merged == nil || c.PlanHash != s.Plan.Campaign.PlanHash {
		err := fmt.Errorf("%s is there already, and is of another plan", dir)
		return false, outcome.Usage(refusal.New(err, "choose another folder with -o"))
	}
	_, err = fmt.Fprintf(s.lab.Out, "it is there already: %s\n", console.Visible(dir))
	return true, err
}

// laneCores are the CPUs of each lane, of a plan that can be measured so. What the plan itself asks of CPUs excludes
// lanes.
func (s *Session) laneCores() ([]cpu.Set, error) {
	if s.frozen == nil {
		err := errors.New("the plan is not frozen: a pilot would decide in each lane for itself")
		return nil, refusal.New(outcome.Usage(err),
			"run the pilot once (moobench run), and plan with what it decided: moobench plan --pilot DIR")
	}
	if _, err := s.Plan.Alone(s.Lanes); err != nil {
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

// tellLanes says how a plan is measured in lanes.
func (s *Session) tellLanes() (string, error) {
	cores, err := s.laneCores()
	if err != nil {
		return "", err
	}
	alone, err := s.Plan.Alone(s.Lanes)
	if err != nil {
		return "", err
	}
	planned := 0
	for _, b := range s.Plan.Campaign.Blocks {
		if b.Kind == results.BlockPlanned {
			planned++
		}
	}
	turns := s.Lanes*alone + (planned-s.Lanes*alone+s.Lanes-1)/s.Lanes
	return fmt.Sprintf("lanes: %d, on CPU %s; %s in %s, %d of each lane while the others are idle: "+
		"what they do to each other is measured; about %s of the time",
		s.Lanes, strings.Join(results.Each(cores, cpu.Set.String), " | "), figure.Plural(planned, "block", "blocks"),
		figure.Plural(turns, "turn", "turns"), alone, figure.Percent(float64(turns)/float64(planned))), nil
}

// lanes are the lanes of a machine under way.
type lanes struct {
	session *Session
	plan    string // the file, as the user named it
	dir     string
	cores   []cpu.Set
}

func (l *lanes) shard(lane int) results.Shard {
	return results.Shard{Index: lane, Count: len(l.cores), Lane: results.Lane{Index: lane, Count: len(l.cores)}}
}

func (l *lanes) file(lane int) string { return filepath.Join(l.dir, fmt.Sprintf("lane-%d.tar", lane)) }

// files are those of all shards.
func (l *lanes) files() (all []string) {
	for lane := 1; lane <= len(l.cores); lane++ {
		all = append(all, l.file(lane))
	}
	return all
}

// wish is what a lane waits for; with an error, or without one, it has ended.
type wish struct {
	lane  int
	alone bool
	ended bool
	err   error
}

// measure has all lanes measure, and shares the turns out. Where a lane fails, the others are ended: what they would
// measure without it would not be beside it.
func (l *lanes) measure(ctx context.Context) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	if err := os.MkdirAll(l.dir, 0o777); err != nil {
		return fmt.Errorf("making the folder of the lanes: %w", err)
	}
	wishes := make(chan wish)
	grants := make([]*os.File, len(l.cores))
	for i := range l.cores {
		asked, ask, err := os.Pipe()
		if err != nil {
			return fmt.Errorf("starting a lane: %w", err)
		}
		granted, grant, err := os.Pipe()
		if err != nil {
			return errors.Join(fmt.Errorf("starting a lane: %w", err), asked.Close(), ask.Close())
		}
		defer grant.Close()
		grants[i] = grant
		heard := make(chan struct{})
		go func() {
			listen(asked, i+1, wishes)
			close(heard)
		}()
		proc.OffMain(func() {
			err := l.one(ctx, i+1, granted, ask)
			<-heard // what it asked for last comes before its end
			wishes <- wish{lane: i + 1, ended: true, err: err}
		})
	}
	return l.share(wishes, grants, end)
}

// listen hands on what a lane asks for, until it has ended.
func listen(asked *os.File, lane int, wishes chan<- wish) {
	defer asked.Close()
	for lines := bufio.NewScanner(asked); lines.Scan(); {
		wishes <- wish{lane: lane, alone: lines.Text() == askAlone}
	}
}

// What a lane asks for.
const (
	askAlone    = "alone"
	askTogether = "together"
)

// share gives turns to the lanes until all have ended: when all of those that go on wait for one, to the first one that
// wants to measure alone, or else to all of them at once.
// The error is that of the lane that failed first, with which all are ended.
func (l *lanes) share(wishes <-chan wish, grants []*os.File, end func()) (failed error) {
	live := len(grants)
	waiting := map[int]wish{}
	last := int64(0)
	for turn := 1; live > 0; {
		w := <-wishes
		if w.ended {
			live--
			delete(waiting, w.lane)
			failed = cmp.Or(failed, w.err)
		} else {
			waiting[w.lane] = w
		}
		if failed != nil {
			end()
			continue
		}
		if len(waiting) < live || live == 0 {
			continue
		}
		chosen, who := maps.Clone(waiting), fmt.Sprintf("%s at once", figure.Plural(live, "lane", "lanes"))
		for lane := len(grants); lane > 0; lane-- {
			if w, waits := waiting[lane]; waits && w.alone {
				chosen, who = map[int]wish{lane: w}, fmt.Sprintf("lane %d alone", lane)
			}
		}
		if !l.session.Quiet {
			fmt.Fprintf(l.session.lab.Err, "turn %d: %s\n", turn, who)
		}
		last, turn = max(last+1, time.Now().UnixMilli()), turn+1
		for lane := range chosen {
			delete(waiting, lane)
			fmt.Fprintln(grants[lane-1], last, len(chosen)-1) // a lane that has ended meanwhile says so by itself
		}
	}
	return failed
}

// one has a lane measure, in a process of its own that has only the lane's CPUs. It changes the CPUs of its thread,
// which must end with it.
func (l *lanes) one(ctx context.Context, lane int, granted, ask *os.File) error {
	defer granted.Close()
	defer ask.Close()
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("starting a lane: %w", err)
	}
	cores := l.cores[lane-1]
	if err := cpu.SetThread(cores); err != nil {
		return fmt.Errorf("starting lane %d: %w", lane, err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = append(os.Args[:1:1], l.arguments(lane)...)
	own := func(kind string) string { return filepath.Join(l.dir, fmt.Sprintf("lane-%d.%s", lane, kind)) }
	cmd.Env = append(os.Environ(), machine.LockVar+"="+own("lock"), machine.JournalVar+"="+own("journal"))
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = l.session.lab.Err, l.session.lab.Err, []*os.File{granted, ask}
	// A group of its own: what ends us is handed on once, and not by the terminal a second time.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	err = cmd.Run()
	if _, lacks := os.Stat(l.file(lane)); lacks == nil { // it is sealed, and says itself which cells have no answer
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("lane %d was interrupted: the invocation under way was discarded", lane)
	}
	return fmt.Errorf("lane %d (CPU %s): %w; what it said stands above", lane, cores, err)
}

// arguments are how a lane is called.
func (l *lanes) arguments(lane int) []string {
	s, shard := l.session, l.shard(lane)
	args := []string{"run", "--quiet", "--shard", shard.String(), "--lane", LaneText(shard.Lane), "-o", l.file(lane)}
	if s.Going {
		args = append(args, "--keep-going")
	}
	if s.Kept != "" {
		args = append(args, "--artifacts", s.Kept)
	}
	return append(args, l.plan)
}

// The files that a lane was started with: turns are read from one, and asked for in the other.
const laneGrants, laneAsks = 3, 4

// turns are those that the lane gets from the moobench that started it.
func turns() (next func(ctx context.Context, alone bool) (number int64, others int, err error), err error) {
	for _, fd := range []int{laneGrants, laneAsks} {
		if _, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd)); err != nil {
			return nil, outcome.Usage(errors.New("a lane is started by moobench run --lanes"))
		}
		syscall.CloseOnExec(fd) // or the JVMs would have them, too
	}
	grants, asks := bufio.NewReader(os.NewFile(laneGrants, "grants")), os.NewFile(laneAsks, "asks")
	return func(ctx context.Context, alone bool) (number int64, others int, err error) {
		wish := askTogether
		if alone {
			wish = askAlone
		}
		granted := make(chan error, 1)
		go func() {
			_, err := fmt.Fprintln(asks, wish)
			if err == nil {
				_, err = fmt.Fscan(grants, &number, &others)
			}
			granted <- err
		}()
		select {
		case err = <-granted:
		case <-ctx.Done():
			return 0, 0, ctx.Err()
		}
		if errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) {
			err = errors.New("the moobench that shares the turns out has ended")
		}
		return number, others, err
	}, nil
}

// LaneText is a lane as --lane has it: 2/4.
func LaneText(l results.Lane) string { return strconv.Itoa(l.Index) + "/" + strconv.Itoa(l.Count) }

// ParseLane reads what LaneText wrote.
func ParseLane(text string) (results.Lane, error) {
	s, err := results.ParseShard(text)
	if err != nil {
		return results.Lane{}, fmt.Errorf("%q is no lane (want 2/4)", text)
	}
	return results.Lane{Index: s.Index, Count: s.Count}, nil
}

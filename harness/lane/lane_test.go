package lane

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/harness/machine/cpu"
)

// wishesVar makes this program a lane that asks for turns: a for one alone, t for one together, h to hang, x to fail.
const wishesVar = "LANE_TEST_WISHES"

// noWaiting lets a process with the race detector in it end at once.
const noWaiting = "GORACE=atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if wishes, is := os.LookupEnv(wishesVar); is {
		os.Exit(beLane(wishes))
	}
	os.Exit(m.Run())
}

func beLane(wishes string) int {
	next, err := Turns()
	if err != nil {
		fmt.Println(err)
		return 2
	}
	if left, is := os.LookupEnv(startedBy); is {
		fmt.Println("what it starts would find", left)
	}
	for _, w := range wishes {
		switch w {
		case 'x':
			return 3
		case 'h':
			time.Sleep(time.Hour)
		}
		number, others, err := next(context.Background(), w == 'a')
		if err != nil {
			return 4
		}
		fmt.Println(number, others)
	}
	return 0
}

// run has lanes ask for turns, and returns what each of them got, and what was told.
func run(t *testing.T, ctx context.Context, wishes ...string) (got []string, told []Turn, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cores, err := cpu.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	var all []Process
	outputs := make([]bytes.Buffer, len(wishes))
	for i, w := range wishes {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), wishesVar+"="+w, noWaiting)
		cmd.Stdout = &outputs[i]
		all = append(all, Process{Cores: cores[:1], Command: cmd})
	}
	err = Run(ctx, all, func(turn Turn) { told = append(told, turn) })
	for i := range outputs {
		got = append(got, outputs[i].String())
	}
	return got, told, err
}

// TestTurns: all lanes measure at once unless one wants to be alone, which waits for nobody but the turn under way; a
// lane that has ended is waited for no longer.
func TestTurns(t *testing.T) {
	for _, tt := range []struct {
		wishes []string
		want   string // lanes of each turn
	}{
		{[]string{"ttt", "ttt"}, "1+2 1+2 1+2"},
		{[]string{"tat", "tat"}, "1+2 1 2 1+2"},
		{[]string{"att", "tta", "tat"}, "1 1+2+3 3 1+2+3 2"},
		{[]string{"t", "ttt"}, "1+2 2 2"},
		{[]string{"", "ta"}, "2 2"},
		{[]string{"", ""}, ""},
	} {
		got, told, err := run(t, t.Context(), tt.wishes...)
		var turns []string
		for i, turn := range told {
			turns = append(turns, strings.Trim(strings.ReplaceAll(fmt.Sprint(turn.Lanes), " ", "+"), "[]"))
			if turn.Number != i+1 {
				t.Errorf("%q: turn %d is number %d", tt.wishes, i+1, turn.Number)
			}
		}
		if said := strings.Join(turns, " "); err != nil || said != tt.want {
			t.Errorf("%q: %s, %v, want %s", tt.wishes, said, err, tt.want)
		}
		numbers := map[int64]int{} // lanes that were given a turn
		others := map[int64]int{}
		for _, text := range got {
			last := int64(0)
			for line := range strings.Lines(text) {
				var number int64
				var beside int
				if _, err := fmt.Sscan(line, &number, &beside); err != nil || number <= last {
					t.Errorf("%q: %q after turn %d: %v", tt.wishes, line, last, err)
				}
				last, others[number] = number, beside
				numbers[number]++
			}
		}
		for number, n := range numbers {
			if others[number] != n-1 {
				t.Errorf("%q: turn %d of %d lanes was told as one beside %d", tt.wishes, number, n, others[number])
			}
		}
	}
}

// TestLaneFails: with a lane that fails all others end, and it is named.
func TestLaneFails(t *testing.T) {
	got, _, err := run(t, t.Context(), "tx", "tth", "th")
	if err == nil || !strings.Contains(err.Error(), "lane 1 (CPU ") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("%v", err)
	}
	if slices.ContainsFunc(got, func(text string) bool { return strings.Count(text, "\n") > 1 }) {
		t.Errorf("%q", got)
	}
}

// TestLanesAreEnded: when the context ends, so do all lanes.
func TestLanesAreEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		time.Sleep(100 * time.Millisecond)
		cancel()
	}()
	if _, _, err := run(t, ctx, "th", "th"); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("%v", err)
	}
}

// TestNoLane: a process that nobody has started as a lane says so, whatever files and variables it was left.
func TestNoLane(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	for name, started := range map[string]string{"nothing": "", "another's variable": startedBy + "=1"} {
		cmd := exec.Command(self)
		cmd.ExtraFiles = []*os.File{read, write}
		cmd.Env = append(os.Environ(), wishesVar+"=t", noWaiting, started)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), errNotStarted.Error()) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestWaiting: a lane asks for a turn of the right kind, and learns when nobody gives turns any more.
func TestWaiting(t *testing.T) {
	grants, grant, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	asks, ask, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range []*os.File{grants, grant, asks, ask} {
			f.Close()
		}
	})
	next := waiting(grants, ask)
	for alone, want := range map[bool]string{true: askAlone, false: askTogether} {
		fmt.Fprintln(grant, "7 2")
		number, others, err := next(t.Context(), alone)
		var asked string
		if _, bad := fmt.Fscan(asks, &asked); bad != nil || asked != want || number != 7 || others != 2 || err != nil {
			t.Errorf("alone %t: asked for %q, %v; turn %d beside %d, %v", alone, asked, bad, number, others, err)
		}
	}
	grant.Close()
	_, _, err = next(t.Context(), false)
	if err == nil || !strings.Contains(err.Error(), "the moobench that shares the turns out has ended") {
		t.Errorf("without one who grants: %v", err)
	}
	idle, never, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer never.Close()
	defer idle.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if number, others, err := waiting(idle, ask)(ended, true); number != 0 || others != 0 || err != context.Canceled {
		t.Errorf("turn %d beside %d, %v", number, others, err)
	}
}

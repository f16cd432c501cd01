package run

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	"moobench/harness/jvm"
	"moobench/results"
)

// The test binary is also the fixture that the tests start. It plays the answers in this variable: a line for
// each, which begins with the verb of the request. The last one of a verb goes on for ever. A | begins a new line of
// the answer, and %calls is the number that was asked for.
const playVar = "MOOBENCH_PLAY"

func TestMain(m *testing.M) {
	if answers := os.Getenv(playVar); answers != "" {
		play(strings.Split(answers, "\n"))
	}
	os.Exit(m.Run())
}

func play(answers []string) {
	control := ""
	for _, a := range os.Args {
		if v, ok := strings.CutPrefix(a, "-Dmoobench.control="); ok {
			control = v
		}
	}
	conn, err := net.Dial("tcp", control)
	if err != nil {
		os.Exit(3)
	}
	fmt.Fprintf(conn, "hello protocol=1 token=%s fixture=calls pid=%d jvm=\"17\" main_ns=%s\n",
		os.Getenv("MOOBENCH_TOKEN"), os.Getpid(), os.Getenv("MOOBENCH_MAIN"))
	for requests := bufio.NewScanner(conn); requests.Scan(); {
		fmt.Println(requests.Text())
		verb, args, _ := strings.Cut(requests.Text(), " ")
		next := -1
		for i, a := range answers {
			if strings.HasPrefix(a, verb+" ") {
				next = i
				break
			}
		}
		if next < 0 {
			os.Exit(4)
		}
		answer := strings.TrimPrefix(answers[next], verb+" ")
		for _, later := range answers[next+1:] {
			if strings.HasPrefix(later, verb+" ") {
				answers[next] = ""
				break
			}
		}
		_, calls, _ := strings.Cut(args, "calls=")
		calls, _, _ = strings.Cut(calls, " ")
		fmt.Fprintln(conn, strings.NewReplacer("|", "\n", "%calls", calls).Replace(answer))
		if verb == "quit" {
			os.Exit(0)
		}
	}
	os.Exit(0)
}

// endings are the answers of a fixture that is asked to end.
var endings = []string{"code code", "threads threads", "quit bye"}

// playing is the environment of a fixture that plays these answers, and ends well.
func playing(answers ...string) []string {
	return []string{playVar + "=" + strings.Join(append(answers, endings...), "\n"), "MOOBENCH_MAIN=1"}
}

// self is the path of the test binary.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// played is an attempt whose fixture plays these answers, once it is started.
func played(t *testing.T, answers ...string) *attempt {
	t.Helper()
	dir := t.TempDir()
	s := &subject{fixture: true, env: playing(answers...)}
	s.command = jvm.Command{Path: self(t), Env: s.env, Dir: dir}
	t.Cleanup(func() {
		if s.Process != nil {
			s.Kill()
		}
	})
	return &attempt{
		dir: dir, subject: s, ctx: t.Context(), cpus: []int{0},
		got: &results.Invocation{Scalars: map[string]float64{}},
	}
}

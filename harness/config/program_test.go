package config

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const ownFile = `name = "own"
[command]
run    = ["{java}", "-jar", "batch.jar", "", "two\nlines"]
dir    = "work"
env    = { BATCH_MODE = "1", A = "" }
exit   = 3
output = '^done: \d+ rows$'
[server]
run   = "{java} {agent} -jar  shop.jar --port={port}"
ready = "http://127.0.0.1:{port}/health"
[[server.request]]
url = "http://[::1]:{port}/cart?a=%7B1%7D"
[[server.request]]
name    = "buy"
url     = "http://localhost:8080/cart"
method  = "POST"
headers = ["Content-Type: text/plain"]
body    = "{port}"
weight  = 3
status  = 201
expect  = ""
match   = "^ok$"
[[scenario]]
use = "overhead"
variants = ["none"]
`

func parseOwn(t *testing.T) *File {
	t.Helper()
	f, err := Parse("b.toml", []byte(ownFile), known())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCommand(t *testing.T) {
	c := parseOwn(t).Command
	want := Program{Run: []string{"{java}", "-jar", "batch.jar", "", "two\nlines"}, Dir: "work", Env: []string{"A=", "BATCH_MODE=1"}}
	if diff := cmp.Diff(want, *c, cmpopts.IgnoreFields(Program{}, "Artifacts", "Command")); diff != "" {
		t.Errorf("program (-want +got):\n%s", diff)
	}
	if c.Exit != 3 || !c.Output.MatchString("begun\ndone: 12 rows\n") || c.Output.MatchString("not done: 12 rows\n") {
		t.Errorf("exit %d, output %s", c.Exit, c.Output)
	}
}

func TestServer(t *testing.T) {
	s := parseOwn(t).Server
	if diff := cmp.Diff([]string{"{java}", "{agent}", "-jar", "shop.jar", "--port={port}"}, s.Run); diff != "" {
		t.Errorf("run (-want +got):\n%s", diff)
	}
	if s.Within != 0 || s.Limit(0) != time.Minute || len(s.Requests) != 2 {
		t.Fatalf("within %s, %d requests", s.Within, len(s.Requests))
	}
	if got := s.Limit(time.Minute); got != 5*time.Minute {
		t.Errorf("what took a minute may take %s", got)
	}
	if given := (Server{Within: time.Second}); given.Limit(time.Minute) != time.Second {
		t.Error("what the file says is not what counts")
	}
	plain, all := s.Requests[0], s.Requests[1]
	if plain.Name != "GET /cart?a=%7B1%7D" || plain.Method != "GET" || plain.Weight != 1 || plain.Status != 200 || plain.Expect != nil || plain.Pattern != nil {
		t.Errorf("without more than a URL: %+v", plain)
	}
	if all.Name != "buy" || all.Method != "POST" || all.Body != "{port}" || all.Weight != 3 || all.Status != 201 || all.Expect == nil || *all.Expect != "" || !all.Pattern.MatchString("so\nok\n") {
		t.Errorf("with everything: %+v", all)
	}
}

func TestPortIsFilledIn(t *testing.T) {
	template := *parseOwn(t).Server
	s := template.On(4711)
	if s.Ready != "http://127.0.0.1:4711/health" || s.Requests[0].URL != "http://[::1]:4711/cart?a=%7B1%7D" || s.Requests[1].URL != "http://localhost:8080/cart" {
		t.Errorf("ready %q, requests %+v", s.Ready, s.Requests)
	}
	if !strings.Contains(template.Requests[0].URL, "{port}") {
		t.Error("the template itself was filled in")
	}
}

func TestProgramHolds(t *testing.T) {
	p := Program{Run: []string{"x", "a{java}b", "{{dir}}"}, Env: []string{"A=-x {agent}"}}
	for name, want := range map[string]bool{JavaPlaceholder: true, AgentPlaceholder: true, dirPlaceholder: false, PortPlaceholder: false} {
		if got := p.Holds(name); got != want {
			t.Errorf("holds %s: %t", name, got)
		}
	}
}

func TestJars(t *testing.T) {
	p := Program{Run: []string{"{java}", "-cp", "{jar.a}:{jar.b-2}", "{{jar.c}}"}, Env: []string{"LIB={jar.a}"}}
	if diff := cmp.Diff([]string{"a", "b-2", "a"}, p.Jars()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

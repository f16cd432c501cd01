package threads

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/internal/testevents"
)

// pictured are the objects of an order: class, hash, which of those with it, threads, calls.
func pictured(t *testing.T, log string) []string {
	t.Helper()
	o, err := Read(testevents.File(t, log), Closely())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, x := range o.Objects {
		several := ""
		if x.Several {
			several = " several"
		}
		all = append(all, fmt.Sprintf("%s %d/%d %d threads %d calls%s", x.Class, x.Hash, x.Nth, len(x.Lanes), x.Calls, several))
	}
	return all
}

// TestIdentity: an object begins with its constructor, even where another one has its hash;
// constructors of superclasses and those that one constructor calls are of the same object.
func TestIdentity(t *testing.T) {
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"two of one hash": {`
			1 t0 + Many.<init> 7
			2 t0 - Many.<init> 7
			3 t0 + Many.run 7
			4 t0 - Many.run 7
			5 t1 + Many.<init> 7
			6 t1 - Many.<init> 7
			7 t1 + Many.run 7
			8 t1 - Many.run 7`, []string{"a.Many 7/1 1 threads 2 calls", "a.Many 7/2 1 threads 2 calls several"}},
		"one thread, one after the other": {`
			1 t0 + Many.<init> 7
			2 t0 - Many.<init> 7
			3 t0 + Main.run 0
			5 t0 + Many.<init> 7
			6 t0 - Many.<init> 7
			9 t0 - Main.run 0`, []string{"a.Main 0/0 1 threads 1 calls", "a.Many 7/1 1 threads 1 calls", "a.Many 7/2 1 threads 1 calls several"}},
		"a superclass, and a constructor that calls another one": {`
			1 t0 + Base.<init> 7
			2 t0 - Base.<init> 7
			3 t0 + Sub.<init> 7
			4 t0 - Sub.<init> 7
			5 t0 + Sub.<init> 7
			6 t0 - Sub.<init> 7
			7 t0 + Base.run 7
			8 t0 - Base.run 7`, []string{"a.Base 7/1 1 threads 2 calls", "a.Sub 7/1 1 threads 2 calls"}},
		"a constructor that was not seen": {`
			1 t0 + Many.run 7
			2 t0 - Many.run 7
			3 t1 + Many.run 7
			4 t1 - Many.run 7`, []string{"a.Many 7/0 2 threads 2 calls several"}},
		"a constructor that fails": {`
			1 t0 + Many.<init> 7
			2 t0 ! Many.<init> 7
			3 t0 + Many.<init> 7
			4 t0 - Many.<init> 7`, []string{"a.Many 7/1 1 threads 1 calls", "a.Many 7/2 1 threads 1 calls several"}},
	} {
		if d := cmp.Diff(c.want, pictured(t, c.log)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// TestMoreObjectsThanHashes: where each thread has objects of its own, no picture shows two threads,
// however often hashes are used again, and each object has its calls.
func TestMoreObjectsThanHashes(t *testing.T) {
	rng := rand.New(rand.NewPCG(20140901, 7))
	var log strings.Builder
	at := 0
	say := func(thread int, what string, hash int) {
		at++
		fmt.Fprintf(&log, "%d t%d %s %d\n", at, thread, what, hash)
	}
	for range 400 {
		thread, hash := rng.IntN(4), 1+rng.IntN(50)
		for _, method := range []string{"<init>", "run", "run"} {
			say(thread, "+ Many."+method, hash)
			say(thread, "- Many."+method, hash)
		}
	}
	o, err := Read(testevents.File(t, log.String()), Options{objects: 1000, spans: 10, columns: 10})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Objects) != 400 {
		t.Errorf("%d objects", len(o.Objects))
	}
	for _, x := range o.Objects {
		if len(x.Lanes) != 1 || x.Calls != 3 {
			t.Errorf("object %d, number %d with its hash: %d threads, %d calls", x.Hash, x.Nth, len(x.Lanes), x.Calls)
		}
	}
}

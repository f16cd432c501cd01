package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"moobench/harness/plan"
	"moobench/results"
)

// TestPhases: what can fail without touching the machine comes before what touches it, nothing is
// measured before the machine is as it is to be, and it is put back before the answers.
func TestPhases(t *testing.T) {
	var order []string
	for _, p := range phases() {
		order = append(order, p.name)
		if p.does == "" || p.run == nil {
			t.Errorf("%s says or does nothing", p.name)
		}
	}
	want := "suit lock orphans foresee java fixtures artifacts prepare keep rehearse quieten vary begin run put back answer"
	if got := strings.Join(order, " "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := between("orphans", "vary"); got[0].name != "orphans" || got[len(got)-1].name != "vary" {
		t.Errorf("%v", got)
	}
}

// TestCarry: what was done is undone in the opposite order, once, whatever fails, and after a panic as
// well; what is always done is done after a failure, too.
func TestCarry(t *testing.T) {
	for _, tt := range []struct {
		name, fails, panics string
		want                string
	}{
		{"well", "", "", "a b put -b c -a"},
		{"second fails", "b", "", "a b put c? -a"},
		{"third fails", "c", "", "a b put -b c -a"},
		{"second panics", "", "b", "a b -a"},
		{"third panics", "", "c", "a b put -b c -a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log []string
			failure := errors.New("it failed")
			step := func(name string) phase {
				return phase{name: name, run: func(*measuring, context.Context) (undo func() error, err error) {
					log = append(log, name)
					switch name {
					case tt.panics:
						panic(name)
					case tt.fails:
						return nil, failure
					}
					return func() error { log = append(log, "-"+name); return nil }, nil
				}}
			}
			c := step("c")
			c.always = true
			c.run = func(m *measuring, ctx context.Context) (undo func() error, err error) {
				if m.err != nil {
					log = append(log, "c?")
					return nil, nil
				}
				_, err = step("c").run(m, ctx)
				return nil, err
			}
			put := phase{name: "put", always: true, run: func(m *measuring, _ context.Context) (undo func() error, err error) {
				log = append(log, "put")
				return nil, m.undo("b")
			}}
			idle := phase{name: "idle", needed: func(*Session) bool { return false }, run: func(*measuring, context.Context) (undo func() error, err error) {
				log = append(log, "idle")
				return nil, nil
			}}
			m := &measuring{Session: &Session{Plan: &plan.Plan{Campaign: new(results.Campaign)}}}
			err := func() (err error) {
				defer func() {
					if p := recover(); p != nil && p != tt.panics {
						t.Errorf("panic: %v", p)
					}
				}()
				return m.carry(context.Background(), []phase{step("a"), idle, step("b"), put, c})
			}()
			if got := strings.Join(log, " "); got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
			if (tt.fails != "") != errors.Is(err, failure) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestUnfitPhases: what is the machine's fault comes before anything is measured.
func TestUnfitPhases(t *testing.T) {
	all := phases()
	begun := slices.IndexFunc(all, func(p phase) bool { return p.name == "begin" })
	for i, p := range all {
		if p.unfit && i > begun {
			t.Errorf("%s: another machine would measure again what this one has measured", p.name)
		}
	}
}

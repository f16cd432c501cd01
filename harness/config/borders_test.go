package config

import (
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/harness/strict"
	"moobench/results"
)

// auto lets a pilot find the calls of overhead.
func auto() Known {
	k := known()
	k.Scenarios[0].Parameters = slices.Clone(k.Scenarios[0].Parameters)
	k.Scenarios[0].Parameters[1].Auto = "duration"
	return k
}

// TestAutomaticCalls: a pilot finds a number that is to be found, within a time that is only given for that.
func TestAutomaticCalls(t *testing.T) {
	const useless = "f.toml:5: settle_within means nothing where the number of calls is given " +
		`(add calls = "auto", or take it out)`
	for keys, want := range map[string]struct {
		calls, auto string
		within      time.Duration
		err         string
	}{
		"":                                   {"500000", "", 10 * time.Second, ""},
		"calls = 700":                        {"700", "", 10 * time.Second, ""},
		"calls = 'auto'":                     {"auto", "calls", 10 * time.Second, ""},
		"settle_within = '3s'\ncalls='auto'": {"auto", "calls", 3 * time.Second, ""},
		"settle_within = '3s'":               {err: useless},
		"settle_within = '3s'\ncalls = 700":  {err: useless},
		"calls = 'much'":                     {err: "f.toml:5: calls"},
	} {
		text := "name = 'x'\n[[scenario]]\nuse = 'overhead'\nvariants = ['none']\n" + keys + "\n"
		f, err := Parse("f.toml", []byte(text), auto())
		if want.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), want.err) {
				t.Errorf("%s: %v", keys, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", keys, err)
			continue
		}
		s := f.Scenarios[0]
		got := strings.Join(s.Parameters["calls"], " ")
		if got != want.calls || s.Auto.Name != want.auto || s.Within != want.within {
			t.Errorf("%s: %s calls, %q is found within %s", keys, got, s.Auto.Name, s.Within)
		}
	}
}

// TestTypesOfParameters: the documentation tells what a parameter may be.
func TestTypesOfParameters(t *testing.T) {
	for want, p := range map[string]results.Parameter{
		"integer":                               {Type: results.TypeInt},
		`integer, or "auto"`:                    {Type: results.TypeInt, Auto: "duration"},
		"time, or a list of them":               {Type: results.TypeDuration, Factor: true},
		"true or false":                         {Type: results.TypeBool},
		"string":                                {Type: results.TypeEnum},
		"string of options":                     {Type: results.TypeOptions},
		`integer, or a list of them, or "auto"`: {Type: results.TypeInt, Factor: true, Auto: "duration"},
	} {
		if got := parameter(p, nil).Kind.Type; got != want {
			t.Errorf("%+v: %q", p, got)
		}
	}
	for text, want := range map[string]any{"": nil, "1_000": int64(1000)} {
		if got := parameter(results.Parameter{Type: results.TypeInt, Default: text}, nil).Default; got != want {
			t.Errorf("default %q: %v", text, got)
		}
	}
}

// TestBordersOfValues: what is just allowed, and what just isn't, each alone.
func TestBordersOfValues(t *testing.T) {
	const question = "[[question]]\ntext = '?'\na = 'none'\nb = 'none'\n"
	const server = "[server]\nrun = 'x'\nready = 'http://127.0.0.1/'\n[[server.request]]\nurl = 'http://127.0.0.1/'\n"
	for text, ok := range map[string]bool{
		"[machine]\nwait_until_quiet = '720h'":    true,
		"[machine]\nwait_until_quiet = '720h1ns'": false,
		"[machine]\nwait_until_quiet = '-1ns'":    false,
		question + "alpha = 0.0":                  false,
		question + "alpha = 0":                    false,
		question + "alpha = 1":                    false,
		question + "alpha = 1.0":                  false,
		question + "alpha = 0.999":                true,
		server + "headers = ['Accept: a']":        true,
		server + "headers = ['Accept:']":          true,
		server + "headers = ['Accept']":           false,
		server + "headers = [': a']":              false,
		server + "headers = ['Ac cept: a']":       false,
		server + "headers = ['Accept : a']":       false,
	} {
		_, err := Parse("f.toml", []byte("name = 'x'\n"+text+oneScenario), known())
		if (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestKnobWithoutValues: a setting that has no usual values gives no example of them.
func TestKnobWithoutValues(t *testing.T) {
	k := Known{Scenarios: known().Scenarios, Knobs: []Knob{
		{Name: "bare", Check: cpuList}, {Name: "usual", Check: cpuList, Values: []string{"0", "1"}},
	}}
	for name, want := range map[string]string{
		"bare":  "f.toml:3: bare: want a string, got the boolean true",
		"usual": `f.toml:3: usual: want a string, got the boolean true (such as "0", "1")`,
	} {
		_, err := Parse("f.toml", []byte("name = 'x'\n[machine]\n"+name+" = true"+oneScenario), k)
		if errs, is := err.(strict.Errors); !is || len(errs) != 1 || errs[0].Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

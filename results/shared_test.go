package results

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParseShard: a shard is one of several, and is written as it is read.
func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{
		"1/1":   {Index: 1, Count: 1},
		"3/16":  {Index: 3, Count: 16},
		"16/16": {Index: 16, Count: 16},
		"0/16":  {},
		"17/16": {},
		"-1/16": {},
		"0/0":   {},
		"1":     {},
		"1/":    {},
		"/1":    {},
		"1/2/3": {},
		"a/2":   {},
		"1/b":   {},
	} {
		got, err := ParseShard(text)
		if got != want || (err == nil) != (want.Count > 0) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if err == nil && got.String() != text {
			t.Errorf("%s becomes %s", text, got)
		}
		if err != nil && !strings.Contains(err.Error(), "is not a shard (want 3/16") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestLaneOfABlock: only of a machine whose lanes take turns the shard is a lane.
func TestLaneOfABlock(t *testing.T) {
	if got := (Block{Shard: 3}).Lane(); got != 0 {
		t.Errorf("without turns: lane %d", got)
	}
	if got := (Block{Shard: 3, Turn: &Turn{}}).Lane(); got != 3 {
		t.Errorf("with turns: lane %d", got)
	}
}

// TestDecided: the scenarios that a pilot decided on.
func TestDecided(t *testing.T) {
	calls := &SettlingDecision{}
	c := &Campaign{Scenarios: []Scenario{
		{Label: "none"},
		{Label: "undecided", Sizing: &Sizing{}, Settling: &Settling{}},
		{Label: "blocks", Sizing: &Sizing{Decision: &Decision{Blocks: 9}}},
		{Label: "calls", Settling: &Settling{Decision: calls}},
		{Label: "both", Sizing: &Sizing{Decision: &Decision{Blocks: 1}}, Settling: &Settling{Decision: calls}},
	}}
	want := []FrozenScenario{
		{Scenario: "blocks", Blocks: 9},
		{Scenario: "calls", Calls: calls},
		{Scenario: "both", Blocks: 1, Calls: calls},
	}
	if diff := cmp.Diff(want, c.Decided()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCellOn: where several CPU models measured, each has cells of its own.
func TestCellOn(t *testing.T) {
	m := &Merged{Models: []Model{{Machines: []string{"a", "b"}}, {Machines: []string{"c"}}}}
	for machine, want := range map[string]string{"a": "c01.1", "b": "c01.1", "c": "c01.2", "d": "c01"} {
		if got := m.CellOn("c01", machine); got != want {
			t.Errorf("on %s: %s, want %s", machine, got, want)
		}
	}
	if got := (*Merged)(nil).CellOn("c01", "a"); got != "c01" {
		t.Errorf("without a merge: %s", got)
	}
}

// TestLooksSecret: a name tells a secret by any of its words, or by its last one if the value is not a number.
func TestLooksSecret(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"", "x", false},
		{"...", "x", false},
		{"password", "", false},
		{"db.password.file", "x", true},
		{"db.password.length", "8", true},
		{"api.key", "x", true},
		{"API_KEY", "x", true},
		{"apiKey", "x", true},
		{"apikey", "x", true},
		{"x2Key", "x", true},
		{"api.key.size", "x", false},
		{"api.key", "12", false},
		{"api.key", "1e3", false},
		{"api.key", "true", false},
		{"api.key", "false", false},
		{"api.key", "yes", true},
		{"monkey", "x", false},
	} {
		if got := looksSecret(c.name, c.value); got != c.want {
			t.Errorf("%s=%s: %t", c.name, c.value, got)
		}
	}
}

// TestNamesOfSecrets: what is cut is told by its name, each once and in order.
func TestNamesOfSecrets(t *testing.T) {
	for _, c := range []struct{ texts, cut, names []string }{
		{nil, nil, nil},
		{[]string{"--token"}, []string{"--token"}, nil},
		{[]string{"token", "abc"}, []string{"token", "abc"}, nil},
		{[]string{"-token", "abc"}, []string{"-token", Hidden}, []string{"token"}},
		{[]string{"---token", "abc"}, []string{"---token", "abc"}, nil},
		{[]string{"--token", "12"}, []string{"--token", "12"}, nil},
		{[]string{"--token", "-abc"}, []string{"--token", "-abc"}, nil},
		{[]string{"--size", "abc"}, []string{"--size", "abc"}, nil},
		{
			[]string{"x://joe:pass@h", "--pin=a", "-Dpin=b", "Cookie: a=b"},
			[]string{"x://" + Hidden + "@h", "--pin=" + Hidden, "-Dpin=" + Hidden, "Cookie: " + Hidden},
			[]string{"Cookie", "pin", "user information of a URI"},
		},
		{[]string{"-Dx=1 pin=a"}, []string{"-Dx=1 pin=" + Hidden}, []string{"pin"}},
		{[]string{"curl pin=a b"}, []string{"curl pin=" + Hidden + " b"}, []string{"pin"}},
		{[]string{"h?pin=a&b=c"}, []string{"h?pin=" + Hidden + "&b=c"}, []string{"pin"}},
		{[]string{"-XX:pin=a,b=c"}, []string{"-XX:pin=" + Hidden + ",b=c"}, []string{"pin"}},
		{[]string{"-agentlib:x=pin=a,b"}, []string{"-agentlib:x=pin=" + Hidden + ",b"}, []string{"pin"}},
		{[]string{"=a"}, []string{"=a"}, nil},
		{[]string{"pin="}, []string{"pin="}, nil},
	} {
		cut, names := CutSecrets(c.texts)
		if !slices.Equal(cut, c.cut) || !slices.Equal(names, c.names) {
			t.Errorf("%q became %q, names %q; want %q, %q", c.texts, cut, names, c.cut, c.names)
		}
	}
}

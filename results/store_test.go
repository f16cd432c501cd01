package results

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func testCampaign() *Campaign {
	return &Campaign{
		Name: "test <&>", Source: "moobench", Design: DesignBlocks, Seed: 1<<64 - 1,
		Created: time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC),
		Plan:    []string{"seed 1"},
		Scenarios: []Scenario{{
			Label: "overhead", Use: "overhead",
			Metrics: []Metric{{Name: "duration", Unit: "ns", Better: Lower, Profile: ProfileTiming, Series: "duration", Column: "duration"}},
		}},
		Cells: []Cell{{ID: "c00", Scenario: "overhead", Variant: "none", Role: RoleBaseline}},
	}
}

func newStore(t testing.TB) *Store {
	t.Helper()
	s, err := Create(filepath.Join(t.TempDir(), "runs", "one"), testCampaign(), []byte("name = \"test\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// verify is everything that is damaged, joined.
func verify(s *Store) error {
	var errs []error
	for _, d := range s.Damages(context.Background()) {
		errs = append(errs, d)
	}
	return errors.Join(errs...)
}

var testSeries = Series{
	Name: "duration", Batch: 1, Dump: "duration.0.i64",
	Columns: []Column{{Name: "t", Unit: "ns", Kind: KindInstant}, {Name: "duration", Unit: "ns", Kind: KindDuration}},
}

// writeTestDump puts n rows of a two-column series into a draft.
func writeTestDump(t testing.TB, dir string, s Series, n int) Series {
	t.Helper()
	columns := [][]int64{make([]int64, n), make([]int64, n)}
	now := int64(1e15)
	for i := range n {
		columns[1][i] = 50 + int64(i%7)*int64(i%11)
		now += columns[1][i] + 10
		columns[0][i] = now
	}
	f, err := os.Create(filepath.Join(dir, s.Dump))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(WriteDump(f, s, columns...), f.Close()); err != nil {
		t.Fatal(err)
	}
	s.Count = int64(n)
	return s
}

func okInvocation(series ...Series) *Invocation {
	return &Invocation{
		Cell: "c00", Profile: ProfileTiming, Status: StatusOK, Series: series,
		Scalars: map[string]float64{"cpu": 1.5},
	}
}

// sealOne measures one invocation of n samples and seals it.
func sealOne(t testing.TB, s *Store, id Identity, n int) *Invocation {
	t.Helper()
	d, err := s.Begin(id)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(d.Dir(), "out.log"), []byte("hello\n"), 0o666)
	inv := okInvocation(writeTestDump(t, d.Dir(), testSeries, n))
	if err := d.Seal(inv); err != nil {
		t.Fatal(err)
	}
	return inv
}

func TestCreateOpen(t *testing.T) {
	s := newStore(t)
	again, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s.Campaign(), again.Campaign()); diff != "" {
		t.Error(diff)
	}
	toml, err := os.ReadFile(filepath.Join(s.Dir(), "benchmarks.toml"))
	if err != nil || string(toml) != "name = \"test\"\n" {
		t.Errorf("benchmarks.toml: %q, %v", toml, err)
	}
	if _, err := Create(s.Dir(), testCampaign(), nil); problemOf(err) != problemExists {
		t.Errorf("creating twice: %v", err)
	}
}

func problemOf(err error) problem {
	var e *Error
	if errors.As(err, &e) {
		return e.problem
	}
	return ""
}

func TestOpenErrors(t *testing.T) {
	tests := []struct {
		name    string
		spoil   func(dir string) error
		problem problem
		says    string
	}{
		{"newer format", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "campaign.json"), []byte(`{"format": 3, "name": 7}`), 0o666)
		}, problemNewer, "format 3, this moobench reads formats up to 2"},
		{"cut off", func(dir string) error {
			return os.Truncate(filepath.Join(dir, "campaign.json"), 100)
		}, problemDamaged, "cut off or was edited"},
		{"another tool's", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "campaign.json"), []byte(`{}`), 0o666)
		}, problemDamaged, "names no format"},
		{"no campaign.json", func(dir string) error {
			return os.Remove(filepath.Join(dir, "campaign.json"))
		}, problemHalf, "start it again in the same folder"},
		{"no invocations", func(dir string) error {
			return os.Remove(filepath.Join(dir, "invocations"))
		}, problemHalf, "its invocations folder is not"},
		{"empty folder", func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o777))
		}, problemOther, "not a campaign"},
		{"no folder", os.RemoveAll, problemOther, "no such file"},
		{"a file", func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o666))
		}, problemOther, "not a folder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			if err := tt.spoil(s.Dir()); err != nil {
				t.Fatal(err)
			}
			_, err := Open(s.Dir())
			if problemOf(err) != tt.problem || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), s.Dir()) {
				t.Errorf("%s: %v", problemOf(err), err)
			}
		})
	}
}

func TestMachines(t *testing.T) {
	s := newStore(t)
	for _, m := range []Machine{{ID: "b", Host: "h"}, {ID: "a", Host: "1"}, {ID: "a", Host: "1"}, {ID: "a", Host: "2"}} {
		if err := s.AddMachine(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddMachine(Machine{ID: "../a"}); err == nil {
		t.Error("a path as machine ID was taken")
	}
	list, err := s.Machines()
	var got []string
	for _, m := range list {
		got = append(got, m.ID+m.Host)
	}
	if want := "a2 a1 bh"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %v, %v; want %s", got, err, want)
	}
}

func TestSealAndRead(t *testing.T) {
	s := newStore(t)
	inv := sealOne(t, s, Identity{1, 0, 0}, 5000)
	list, err := s.Invocations()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	inv.Series[0].Dump = ""
	if diff := cmp.Diff(inv, list[0]); diff != "" {
		t.Error(diff)
	}
	if len(inv.Files) != 3 || inv.Files["out.log"] == "" {
		t.Errorf("files: %v", inv.Files)
	}
	sum, err := s.Summary(list[0])
	if err != nil {
		t.Fatal(err)
	}
	c := sum.Find("duration", "duration")
	if len(c) != 1 || c[0].Moments(c[0].Whole()).N != 5000 {
		t.Errorf("summary: %+v", c)
	}
	if err := verify(s); err != nil {
		t.Error(err)
	}
	if _, err := s.Begin(Identity{1, 0, 0}); problemOf(err) != problemExists {
		t.Errorf("beginning a sealed one: %v", err)
	}
}

func TestSuperseded(t *testing.T) {
	s := newStore(t)
	for _, id := range []Identity{{2, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 0, 1}, {3, 1, 0}} {
		sealOne(t, s, id, 3)
	}
	list, err := s.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, inv := range list {
		name := inv.Identity.String()
		if inv.Superseded {
			name += "!"
		}
		got = append(got, name)
	}
	want := "b0001.s00.r0! b0001.s00.r1 b0001.s01.r0! b0002.s00.r0 b0003.s01.r0"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}

func TestUnreadableInvocations(t *testing.T) {
	s := newStore(t)
	for slot := range 5 {
		sealOne(t, s, Identity{1, slot, 0}, 3)
	}
	dir := s.path(invocationsDir)
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "b0001.s01.r0", "invocation.json"), []byte(`{"format": 3}`), 0o666),
		os.Truncate(filepath.Join(dir, "b0001.s02.r0", "invocation.json"), 50),
		os.Rename(filepath.Join(dir, "b0001.s03.r0"), filepath.Join(dir, "b0009.s03.r0")),
		os.Remove(filepath.Join(dir, "b0001.s04.r0", "invocation.json")),
		os.Mkdir(filepath.Join(dir, "<script>"), 0o777))
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Invocations()
	if len(list) != 1 || list[0].Slot != 0 {
		t.Errorf("got %v", list)
	}
	for _, says := range []string{
		"b0001.s01.r0/invocation.json: it has format 3", "b0001.s02.r0/invocation.json: it is cut off",
		"it says it is b0001.s03.r0", "b0001.s04.r0/invocation.json: no such file", "<script>",
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is missing in %v", says, err)
		}
	}
}

func TestSealRefuses(t *testing.T) {
	dump := func(dir string) Series {
		s := testSeries
		f, _ := os.Create(filepath.Join(dir, s.Dump))
		WriteDump(f, s, []int64{1, 2}, []int64{3, 4})
		f.Close()
		s.Count = 2
		return s
	}
	tests := []struct {
		name string
		make func(dir string) *Invocation
		kind string
		says string
	}{
		{"no status", func(string) *Invocation { return &Invocation{} }, "disk", "contradict"},
		{"failed without a failure", func(string) *Invocation { return &Invocation{Status: StatusFailed} }, "disk", "contradict"},
		{"infinite scalar", func(string) *Invocation {
			return &Invocation{Status: StatusOK, Scalars: map[string]float64{"x": math.Inf(1)}}
		}, "disk", "scalar x is +Inf"},
		{"missing dump", func(string) *Invocation { return okInvocation(testSeries) }, "dump", "missing or used twice"},
		{"unannounced dump", func(dir string) *Invocation { dump(dir); return okInvocation() }, "dump", "no series announced"},
		{"series twice", func(dir string) *Invocation { s := dump(dir); return okInvocation(s, s) }, "disk", "there twice"},
		{"path as a name", func(dir string) *Invocation {
			s := dump(dir)
			s.Dump = "../x.i64"
			return okInvocation(s)
		}, "dump", "missing or used twice"},
		{"wrong count", func(dir string) *Invocation { s := dump(dir); s.Count = 3; return okInvocation(s) }, "counts", "n=2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			d, err := s.Begin(Identity{1, 0, 0})
			if err != nil {
				t.Fatal(err)
			}
			err = d.Seal(tt.make(d.Dir()))
			if err == nil || !strings.Contains(err.Error(), tt.says) || FailureKind(err) != tt.kind {
				t.Errorf("got %v", err)
			}
			afterFailure(t, s, d, tt.name)
		})
	}
}

func TestSealKeepsWhatTheSubjectLeft(t *testing.T) {
	s := newStore(t)
	d, err := s.Begin(Identity{12345, 100, 10})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(os.MkdirAll(filepath.Join(d.Dir(), "kieker", "a b"), 0o777),
		os.WriteFile(filepath.Join(d.Dir(), "kieker", "a b", "x\n.dat"), []byte("1"), 0o666),
		os.Symlink("/etc/passwd", filepath.Join(d.Dir(), "link")),
		syscall.Mkfifo(filepath.Join(d.Dir(), "pipe"), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	inv := &Invocation{Status: StatusOK, Scalars: map[string]float64{"seen": 1, "unseen": math.NaN()}}
	if err := d.Seal(inv); err != nil {
		t.Fatal(err)
	}
	if len(inv.Files) != 1 || inv.Files["kieker/a b/x\n.dat"] == "" || len(inv.Scalars) != 1 {
		t.Errorf("files %q, scalars %v", inv.Files, inv.Scalars)
	}
	sum, err := s.Summary(inv)
	if err != nil || len(sum.Columns) != 0 {
		t.Errorf("summary without series: %v, %v", sum, err)
	}
	if err := verify(s); err != nil {
		t.Error(err)
	}
}

package history

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/infer"

	"pgregory.net/rapid"
)

func read(t *testing.T, path string) *History {
	t.Helper()
	h, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func line(t *testing.T, r Record) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is added is read again, and adding it again adds nothing.
func TestAppendAndRead(t *testing.T) {
	k := key(cell)
	h := historyOf(k, quiet(1, 3, 0.01))
	settled(h, k, 0, 1, infer.Confirmed, 0.1)
	accepted(h, k, 1)
	path := filepath.Join(t.TempDir(), "results", "history.jsonl")
	for i, want := range []int{5, 0} {
		if added, err := Append(path, h.Records...); err != nil || added != want {
			t.Fatalf("time %d: %d added, %v", i, added, err)
		}
	}
	got := read(t, path)
	if !reflect.DeepEqual(got.Records, h.Records) || got.Warnings != nil {
		t.Errorf("%+v\nwant %+v", got, h)
	}
	if added, err := Append(path, record(made(k, 3, 0.1)), record(made(k, 3, 0.1))); err != nil || added != 1 {
		t.Errorf("the same record twice at once: %d added, %v", added, err)
	}
	if n := len(read(t, path).Records); n != 6 {
		t.Errorf("%d records", n)
	}
}

func TestAppendRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.jsonl")
	good, nameless := record(made(key(cell), 0, 0.1)), record(made(key(cell), 1, 0.1))
	nameless.Night.ID = ""
	if added, err := Append(path, good, nameless); err == nil || added != 0 {
		t.Errorf("%d added, %v", added, err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a file with half of what was to be added: %v", err)
	}
	if _, err := Append(t.TempDir(), good); err == nil {
		t.Error("a folder was added to")
	}
}

func TestMissingFileIsEmpty(t *testing.T) {
	if h := read(t, filepath.Join(t.TempDir(), "none.jsonl")); len(h.Records) != 0 || h.Warnings != nil {
		t.Errorf("%+v", h)
	}
}

// A line that was cut off by a crash does not take the next one with it.
func TestTornLine(t *testing.T) {
	k := key(cell)
	whole := line(t, record(made(k, 0, 0.1)))
	path := write(t, whole+"\n"+whole[:40])
	if added, err := Append(path, record(made(k, 1, 0.1))); err != nil || added != 1 {
		t.Fatal(added, err)
	}
	h := read(t, path)
	if len(h.Records) != 2 || len(h.Warnings) != 1 || !strings.Contains(h.Warnings[0], "history.jsonl:2: not counted") {
		t.Errorf("%d records, %q", len(h.Records), h.Warnings)
	}
}

func TestDamagedLines(t *testing.T) {
	k := key(cell)
	good := line(t, record(made(k, 0, 0.1)))
	bad := record(made(k, 1, 0.1))
	bad.Night.SE = -1
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":         {"what?", "invalid character"},
		"no format":       {`{"kind":"night"}`, "it has no format"},
		"no night":        {`{"format":1,"kind":"night"}`, "a night without its ID"},
		"another kind":    {`{"format":1,"kind":"dream"}`, `an unknown kind of record, "dream"`},
		"no verdict":      {`{"format":1,"kind":"confirmation","confirmation":{"metric":"m","night":"n"}}`, "unknown verdict"},
		"no confirmation": {`{"format":1,"kind":"confirmation"}`, "a confirmation without its night"},
		"no acceptance":   {`{"format":1,"kind":"acceptance"}`, "an acceptance without its night"},
		"confirms no night": {
			`{"format":1,"kind":"confirmation","confirmation":{"metric":"m","verdict":"confirmed"}}`,
			"a confirmation without its night or series",
		},
		"confirms no series": {
			`{"format":1,"kind":"confirmation","confirmation":{"night":"n","verdict":"confirmed"}}`,
			"a confirmation without its night or series",
		},
		"accepts no night": {
			`{"format":1,"kind":"acceptance","acceptance":{"metric":"m"}}`,
			"an acceptance without its night or series",
		},
		"accepts no series": {
			`{"format":1,"kind":"acceptance","acceptance":{"night":"n"}}`,
			"an acceptance without its night or series",
		},
		"confirms a huge ratio": {
			`{"format":1,"kind":"confirmation","confirmation":{"metric":"m","night":"n","verdict":"confirmed","high":5000}}`,
			"a confirmation whose value is not a number",
		},
		"negative error": {line(t, bad), "a night whose value is not a number"},
		"no time":        {`{"format":1,"kind":"night","night":{"id":"n","cell":"c","metric":"m"}}`, "a night without its time"},
		"huge number":    {strings.Replace(good, `"log_ratio":0.1`, `"log_ratio":1e999`, 1), "1e999"},
		"no ratio":       {strings.Replace(good, `"log_ratio":0.1`, `"log_ratio":5000`, 1), "a night whose value is not a number"},
		"merge conflict": {"<<<<<<< HEAD", "merge conflict"},
	} {
		h := read(t, write(t, "\n"+c.text+"\r\n"+good+"\n\n"))
		if len(h.Records) != 1 || len(h.Warnings) != 1 || !strings.Contains(h.Warnings[0], ":2: not counted: ") || !strings.Contains(h.Warnings[0], c.want) {
			t.Errorf("%s: %d records, %q", name, len(h.Records), h.Warnings)
		}
	}
	if h := read(t, write(t, strings.Repeat("?\n", 100))); len(h.Warnings) != namedLines+1 || !strings.Contains(h.Warnings[namedLines], "80 more") {
		t.Errorf("%q", h.Warnings)
	}
}

// Keys that are not known yet are skipped; a newer format is not for us.
func TestNewerRecords(t *testing.T) {
	good := line(t, record(made(key(cell), 0, 0.1)))
	if h := read(t, write(t, strings.Replace(good, `{"format":2`, `{"format":2,"mood":"good"`, 1))); len(h.Records) != 1 || h.Warnings != nil {
		t.Errorf("%+v", h)
	}
	_, err := Read(write(t, good+"\n"+strings.Replace(good, `{"format":2`, `{"format":3`, 1)))
	if err == nil || !strings.Contains(err.Error(), "history.jsonl:2: a record of format 3") {
		t.Error(err)
	}
}

// Of two records of the same series and night that differ, the one from more
// blocks counts, whichever comes first.
func TestContradiction(t *testing.T) {
	few, many := made(key(cell), 0, 0.1), made(key(cell), 0, 0.2)
	few.N = 10
	a, b := line(t, record(few)), line(t, record(many))
	for _, text := range []string{a + "\n" + b, b + "\n" + a} {
		h := read(t, write(t, text))
		if len(h.Records) != 1 || h.Records[0].Night.Log != 0.2 || len(h.Warnings) != 1 || !strings.Contains(h.Warnings[0], "it contradicts") {
			t.Errorf("%+v", h)
		}
	}
}

// Two branches that added nights are merged by keeping the lines of both, in any
// order.
func TestMergedBranches(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var lines []string
		for i, x := range quiet(1, 12, 0.01) {
			lines = append(lines, line(t, record(made(key(cell), i, x))))
		}
		mine, theirs := lines[:rapid.IntRange(4, 12).Draw(r, "mine")], append(slices.Clone(lines[:4]), lines[rapid.IntRange(4, 12).Draw(r, "theirs"):]...)
		both := rapid.Permutation(append(slices.Clone(mine), theirs...)).Draw(r, "order")
		h := read(t, write(t, strings.Join(both, "\n")))
		seen := map[string]bool{}
		for _, rec := range h.Records {
			seen[rec.Night.ID] = true
		}
		want := map[string]bool{}
		for i, l := range lines {
			if slices.Contains(both, l) {
				want[nightID(i)] = true
			}
		}
		if !reflect.DeepEqual(seen, want) || len(h.Records) != len(want) || h.Warnings != nil {
			r.Fatalf("%v of %v, %d records, %q", seen, want, len(h.Records), h.Warnings)
		}
	})
}

// HISTORY.md names every key of the file.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../HISTORY.md")
	if err != nil {
		t.Fatal(err)
	}
	var named func(of reflect.Type)
	named = func(of reflect.Type) {
		for i := range of.NumField() {
			field := of.Field(i)
			if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); key == "" {
				named(field.Type) // embedded
			} else if !strings.Contains(string(page), `"`+key+`"`) {
				t.Errorf("HISTORY.md does not name %q", key)
			}
		}
	}
	for _, one := range []any{Record{}, Night{}, Confirmation{}, Acceptance{}, Move{}, Machine{}} {
		named(reflect.TypeOf(one))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"format":1,"kind":"night","night":{"id":"n","cell":"c","metric":"m","when":"2026-01-01T00:00:00Z","log":0.1}}`))
	f.Add([]byte(`{"format":2,"kind":"night","night":{"id":"n","cell":"c","metric":"m","when":"2026-01-01T00:00:00Z","log_ratio":0.1}}`))
	f.Add([]byte("<<<<<<< HEAD\n{}\n"))
	f.Add([]byte(`{"format":2,"kind":"move","move":{"metric":"m","cell":"c","machine":"b","from":{"machine":"a"},"night":"n","when":"2026-01-01T00:00:00Z"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "history.jsonl")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		h, err := Read(path)
		if err != nil {
			return
		}
		findings, err := Check(h, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(findings); err != nil {
			t.Error(err)
		}
	})
}

package results

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// Every renamed key leads to a key of today, and no key of today is one that was renamed.
func TestFormat1LeadsToToday(t *testing.T) {
	for path, r := range format1 {
		to := strings.Split(path, ".")
		for i := range to {
			if now := format1[strings.Join(strings.Split(path, ".")[:i+1], ".")].To; now != "" {
				to[i] = now
			}
		}
		campaign, invocation := reflect.TypeFor[Campaign](), reflect.TypeFor[Invocation]()
		if !hasKey(campaign, to) && !hasKey(invocation, to) {
			t.Errorf("%s: there is no %s", path, strings.Join(to, "."))
		}
		to[len(to)-1] = path[strings.LastIndexByte(path, '.')+1:]
		if r.To != "" && (hasKey(campaign, to) || hasKey(invocation, to)) {
			t.Errorf("%s is a key of today", strings.Join(to, "."))
		}
	}
}

// hasKey reports whether a path of keys leads to a field.
func hasKey(of reflect.Type, path []string) bool {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if len(path) == 0 || of.Kind() != reflect.Struct {
		return len(path) == 0
	}
	for f := range of.Fields() {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == path[0] && hasKey(f.Type, path[1:]) || key == "" && f.Anonymous && hasKey(f.Type, path) {
			return true
		}
	}
	return false
}

// Upgrade renames keys where they are meant, and nothing else: not the names of scalars, no
// unknown keys, and no digit of a number.
func TestUpgrade(t *testing.T) {
	for old, want := range map[string]string{
		`{"format":1,"sitting":"s","void":"late","disturbed":{"others_ns":9007199254740993,"because":"b"}}`:         `{"disturbance":{"other_processes_ns":9007199254740993,"reason":"b"},"format":1,"invalid":"late","session":"s"}`,
		`{"scalars":{"void":1e-30,"sitting":2},"because":"b"}`:                                                      `{"because":"b","scalars":{"sitting":2,"void":1e-30}}`,
		`{"session":"unknown then","sitting":"s"}`:                                                                  `{"session":"s"}`,
		`{"scenarios":[{"metrics":[{"of":"requests"},{"once":true}]}]}`:                                             `{"scenarios":[{"metrics":[{"exposure_scalar":"requests"},{"one_time":true}]}]}`,
		`{"confirm":{"alarms":[{"log":0.1,"before":[{"log":-0.2}],"scatter":{"sd":1,"within":0.5,"bound":true}}]}}`: `{"confirm":{"alarms":[{"before":[{"log_ratio":-0.2}],"log_ratio":0.1,"scatter":{"sd":1,"upper_bound":true,"within_sd":0.5}}]}}`,
	} {
		got, err := format1.Upgrade([]byte(old))
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", old, err, got, want)
		}
	}
	if _, err := format1.Upgrade([]byte(`{"void":`)); err == nil {
		t.Error("what is cut off is not an error")
	}
}

// A machine whose file differs in nothing but its format has no other state.
func TestMachineOfFormat1(t *testing.T) {
	s := newStore(t)
	m := Machine{ID: "m1", Host: "h", Knobs: []KnobState{{Name: "smt", Found: "off", Policy: PolicyObserve}}}
	if err := s.AddMachine(m); err != nil {
		t.Fatal(err)
	}
	path := s.path(machinesDir, "m1.json")
	data, err := readFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.step.replaceFile(path, bytes.Replace(data, []byte(`"format": 2`), []byte(`"format": 1`), 1)); err != nil {
		t.Fatal(err)
	}
	if err := s.AddMachine(m); err != nil {
		t.Fatal(err)
	}
	machines, err := s.Machines()
	if err != nil || len(machines) != 1 || machines[0].Format != Format {
		text, _ := json.Marshal(machines)
		t.Errorf("%s, %v", text, err)
	}
}

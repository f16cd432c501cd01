package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/report/doc"
)

var update = flag.Bool("update", false, "write the golden files anew")

// lastDigit allows for the last digits of a number, in which processors differ.
var lastDigit = cmpopts.EquateApprox(1e-9, 1e-15)

func analyse(t *testing.T, s *testcampaign.Store) *analysis.Answers {
	t.Helper()
	a, err := analysis.Analyse(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// shared are answers that tests read, of a campaign that is analysed once. A test that
// changes them fails: it takes a changeable copy.
func shared(t *testing.T, campaign func() *testcampaign.Store) *analysis.Answers {
	t.Helper()
	return sharedBy(t, nameOf(campaign), func(t *testing.T) *analysis.Answers { return analyse(t, campaign()) })
}

// nameOf is the name of a function that makes a campaign.
func nameOf(campaign func() *testcampaign.Store) string {
	return runtime.FuncForPC(reflect.ValueOf(campaign).Pointer()).Name()
}

// sharedBy makes what is shared.
func sharedBy(t *testing.T, name string, make func(*testing.T) *analysis.Answers) *analysis.Answers {
	t.Helper()
	a, ok := sharedAnswers[name]
	if !ok {
		a.Answers = make(t)
		a.digest = digestOf(t, a.Answers)
		sharedAnswers[name] = a
	}
	t.Cleanup(func() {
		if digestOf(t, a.Answers) != a.digest {
			delete(sharedAnswers, name)
			t.Errorf("it changes the answers of %s, which other tests read", name)
		}
	})
	return a.Answers
}

var sharedAnswers = map[string]struct {
	*analysis.Answers
	digest [sha256.Size]byte
}{}

// digestOf is the digest of a value as JSON.
func digestOf(t *testing.T, v any) (digest [sha256.Size]byte) {
	t.Helper()
	sum := sha256.New()
	if err := json.NewEncoder(sum).Encode(v); err != nil {
		t.Error(err)
	}
	sum.Sum(digest[:0])
	return digest
}

// changeable is a copy of answers that a test may change.
func changeable(a *analysis.Answers) *analysis.Answers {
	return copied(reflect.ValueOf(a)).Interface().(*analysis.Answers)
}

// copied is a value with everything exported that it points to copied too.
func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			break
		}
		inner := copied(v.Elem())
		if v.Kind() == reflect.Pointer {
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(inner)
			inner = p
		}
		c.Set(inner)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.Field(i).Set(copied(v.Field(i)))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			break
		}
		c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			c.Index(i).Set(copied(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			break
		}
		c.Set(reflect.MakeMap(v.Type()))
		for _, k := range v.MapKeys() {
			c.SetMapIndex(k, copied(v.MapIndex(k)))
		}
	}
	return c
}

func golden(t *testing.T, name string, got []byte) []byte {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return want
}

func TestText(t *testing.T) {
	for name, c := range map[string]struct {
		campaign func() *testcampaign.Store
		o        Options
	}{
		"small-80.txt":      {testcampaign.Small, Options{Width: 80}},
		"small-140.txt":     {testcampaign.Small, Options{Width: 140}},
		"small-all.txt":     {testcampaign.Small, Options{Width: 140, All: true}},
		"troubled-80.txt":   {testcampaign.Troubled, Options{Width: 80}},
		"troubled-140.txt":  {testcampaign.Troubled, Options{Width: 140}},
		"sized-80.txt":      {testcampaign.Sized, Options{Width: 80}},
		"sized-120.txt":     {testcampaign.Sized, Options{Width: 120}},
		"sized-all.txt":     {testcampaign.Sized, Options{Width: 120, All: true}},
		"unordered-80.txt":  {testcampaign.Unordered, Options{Width: 80}},
		"single-80.txt":     {testcampaign.Single, Options{Width: 80}},
		"hostile-140.txt":   {testcampaign.Hostile, Options{Width: 140}},
		"repeated-80.txt":   {testcampaign.Repeated, Options{Width: 80}},
		"repeated-140.txt":  {testcampaign.Repeated, Options{Width: 140}},
		"own-doing-120.txt": {testcampaign.OwnDoing, Options{Width: 120}},
		"factored-120.txt":  {testcampaign.Factored, Options{Width: 120}},
		"troubled-ansi.txt": {testcampaign.Troubled, Options{Width: 80, Color: true}},
	} {
		t.Run(name, func(t *testing.T) { compareText(t, name, shared(t, c.campaign), c.o) })
	}
}

func TestWholeText(t *testing.T) {
	for name, o := range map[string]Options{
		"whole-80.txt":  {Width: 80},
		"whole-120.txt": {Width: 120},
		"whole-all.txt": {Width: 160, All: true},
	} {
		t.Run(name, func(t *testing.T) { compareText(t, name, whole(t), o) })
	}
}

func compareText(t *testing.T, name string, a *analysis.Answers, o Options) {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, a, o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(golden(t, name, b.Bytes())), b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	inspect(t, b.String(), o)
}

var ansi = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// inspect looks for lines that are too wide, control characters, and colour
// that carries meaning alone.
func inspect(t *testing.T, text string, o Options) {
	t.Helper()
	if o.Color {
		text = ansi.ReplaceAllString(text, "")
	}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if doc.Width(line) > o.Width {
			t.Errorf("%d columns: %s", doc.Width(line), line)
		}
		for _, r := range line {
			if !unicode.IsPrint(r) {
				t.Errorf("prints %U: %q", r, line)
			}
		}
	}
	for _, word := range []string{"NaN", "Inf", "%!"} {
		if strings.Contains(text, word) {
			t.Errorf("prints %s", word)
		}
	}
}

func TestColourCarriesNothingAlone(t *testing.T) {
	var plain, coloured bytes.Buffer
	a := shared(t, testcampaign.Troubled)
	if err := Text(&plain, a, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := Text(&coloured, a, Options{Color: true}); err != nil {
		t.Fatal(err)
	}
	if got := ansi.ReplaceAllString(coloured.String(), ""); got != plain.String() || got == coloured.String() {
		t.Error("text with colours says something else than without")
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, shared(t, testcampaign.Tiny)); err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal(golden(t, "tiny.json", b.Bytes()), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	// Processors may differ in the last digit.
	if diff := cmp.Diff(want, got, lastDigit); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if v := got.(map[string]any)["format"]; v != 2.0 {
		t.Errorf("format %v", v)
	}
}

// Every key that JSON prints is documented.
func TestJSONIsDocumented(t *testing.T) {
	documented, err := os.ReadFile("JSON.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []*analysis.Answers{shared(t, testcampaign.Small), whole(t), shared(t, testcampaign.Sized), shared(t, testcampaign.Unordered), shared(t, testcampaign.Repeated), shared(t, testcampaign.OwnDoing), shared(t, testcampaign.Swapped)} {
		var b bytes.Buffer
		if err := WriteJSON(&b, a); err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		if err := json.Unmarshal(b.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		undocumented(t, string(documented), v)
	}
}

// undocumented complains about keys; those of free maps, such as metrics by
// name, and of machines, which the format on disk documents, are not looked at.
func undocumented(t *testing.T, text string, v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			undocumented(t, text, e)
		}
	case map[string]any:
		for k, e := range v {
			if !strings.Contains(text, "`"+k+"`") {
				t.Errorf("JSON.md does not document %q", k)
			}
			if k != "versions" && k != "machines" && k != "launch" && k != "counts" && k != "settings" && k != "observed" {
				undocumented(t, text, e)
			}
		}
	}
}

func TestFormats(t *testing.T) {
	a := shared(t, testcampaign.Tiny)
	for _, name := range Formats() {
		var b bytes.Buffer
		if err := Write(&b, name, a, Options{}); err != nil || b.Len() == 0 {
			t.Errorf("%s: %d bytes, %v", name, b.Len(), err)
		}
	}
	if err := Write(&bytes.Buffer{}, "htlm", a, Options{}); err == nil || !strings.Contains(err.Error(), "text, json, html") {
		t.Errorf("unknown format: %v", err)
	}
}

func TestWriterThatFails(t *testing.T) {
	a := shared(t, testcampaign.Tiny)
	for _, name := range Formats() {
		if err := Write(full{}, name, a, Options{}); err == nil {
			t.Errorf("%s: a full disk went unnoticed", name)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

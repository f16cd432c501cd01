package report

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moobench/analysis"
	"moobench/analysis/report/doc"
)

var noNumber = regexp.MustCompile(`\b(NaN|[Ii]nf|Infinity)\b|%!|ZgotmplZ|<nil>`)

// Whatever is absent from answers, and however extreme what is there: every
// format is written, and says no number that is none.
func TestNoOutputHoldsWhatIsNoNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := new(analysis.Answers)
		anything(t, reflect.ValueOf(a).Elem(), 0)
		link(a)
		for _, name := range Formats() {
			var b bytes.Buffer
			err := Write(&b, name, a, Options{Width: rapid.SampledFrom([]int{40, 80, 120, 200}).Draw(t, "width"), All: true})
			if name == "latex-macros" && err != nil && strings.Contains(err.Error(), "would stand for") {
				continue // cells of one name are refused there
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if bad := noNumber.Find(b.Bytes()); bad != nil {
				i := bytes.Index(b.Bytes(), bad)
				t.Fatalf("%s says %s: …%s…", name, bad, b.Bytes()[max(0, i-80):min(b.Len(), i+40)])
			}
			if name == "html" {
				rendered := doc.HTML(campaign(a, true, 0))
				if _, err := json.Marshal(rendered.Charts); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// link lets names refer to each other, so that what hangs on them is reached.
func link(a *analysis.Answers) {
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		s.Primary = "duration"
		if len(s.Metrics) > 0 {
			s.Metrics[0].Name = s.Primary
		}
		for j := range s.Cells {
			s.Cells[j].ID = someTexts[1+j]
			if len(s.Cells[j].Metrics) > 0 {
				s.Cells[j].Metrics[0].Metric, s.Cells[j].Invalid = s.Primary, ""
			}
		}
	}
	for i := range a.Invocations {
		a.Invocations[i].Cell, a.Invocations[i].Trace = someTexts[1+i], someNumbers[:3+i]
	}
}

var (
	someTexts   = []string{"", "c00", "c01", "c02", "duration", "overhead", "ns", "B", "1", "flat", "failed", "variant", "baseline", "aa", "timing", "ok", "count", "unordered"}
	someNumbers = []float64{0, 1, -1, 0.5, 561.3, -2224, 1e-12, 1e-300, -1e300, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64}
	someCounts  = []int64{0, 1, 2, 5, -1, 2_000_000, math.MaxInt32}
)

// anything fills a value with parts that may be absent.
func anything(t *rapid.T, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		if depth < 12 && rapid.IntRange(0, 2).Draw(t, "there") > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			anything(t, v.Elem(), depth+1)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)))
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				anything(t, v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]analysis.Traced]() {
			return // read whole from a file of events, or not at all
		}
		n := rapid.IntRange(0, 2).Draw(t, "n")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			e := v.Index(i)
			if e.Kind() == reflect.Pointer { // lists hold no nil
				e.Set(reflect.New(e.Type().Elem()))
				e = e.Elem()
			}
			anything(t, e, depth+1)
		}
	case reflect.Map:
		if v.Type().Elem().Kind() == reflect.Interface {
			return // of chapters that have no field
		}
		v.Set(reflect.MakeMap(v.Type()))
		entry := reflect.New(v.Type().Elem()).Elem()
		anything(t, entry, depth+1)
		v.SetMapIndex(reflect.ValueOf("flat"), entry)
	case reflect.String:
		v.SetString(rapid.SampledFrom(someTexts).Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Float64:
		v.SetFloat(rapid.SampledFrom(someNumbers).Draw(t, "number"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.SampledFrom(someCounts).Draw(t, "count"))
	case reflect.Uint64:
		v.SetUint(7)
	default:
		t.Fatalf("answers hold a %s", v.Type())
	}
}

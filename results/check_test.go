package results

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fullCampaign uses what a campaign may say about its analysis.
func fullCampaign() *Campaign {
	c := testCampaign()
	c.Scenarios[0].Window, c.Scenarios[0].Pool = WindowHalf, PoolCalls
	c.Scenarios[0].Sizing = &Sizing{
		Precision: 0.02, Pilot: PilotBlocks, MaxBlocks: 40, MaxTimeNS: int64(time.Hour), Strict: true,
		Decision: &Decision{Blocks: 17, Wanted: 50, Cut: CutTime, PilotNS: 1e9, Reason: "time was up", Cells: []CellSize{
			{Cell: "c01", Pairs: 10, Mean: 600, SD: 12, Wanted: 50}, {Cell: "c02", Pairs: 9, Mean: 60, SD: 30, Wanted: 400, SetAside: true},
		}},
	}
	c.Scenarios[0].Questions = []Question{{
		ID: "q1", Text: "?", Metric: "duration", A: "c01", B: "c00", Family: "f", Quantile: 0.99, Test: TestTOST,
		Alternative: "less", Alpha: 0.01, Margin: &Margin{Share: 0.01, Amount: 1, ShareFrom: 1000}, Asked: true,
	}}
	return c
}

func TestFullCampaignIsReadAsWritten(t *testing.T) {
	s := newStore(t)
	want := fullCampaign()
	*s.Campaign() = *want
	if err := s.SaveCampaign(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s.Campaign(), again.Campaign()); diff != "" {
		t.Error(diff)
	}
}

func TestOpenNamesWhatNobodyCouldAnalyseBy(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil func(*Scenario)
		want  string
	}{
		"window":      {func(s *Scenario) { s.Window = "late" }, `unknown window "late" (want steady, half, all)`},
		"pool":        {func(s *Scenario) { s.Pool = "all" }, `unknown pool "all" (want calls, last_loop)`},
		"precision":   {func(s *Scenario) { s.Sizing.Precision = -1 }, "precision -1"},
		"pilot":       {func(s *Scenario) { s.Sizing.Pilot = -1 }, "pilot -1"},
		"max_blocks":  {func(s *Scenario) { s.Sizing.MaxBlocks = -3 }, "max_blocks -3"},
		"max_time":    {func(s *Scenario) { s.Sizing.MaxTimeNS = -3 }, "max_time_ns -3"},
		"cut":         {func(s *Scenario) { s.Sizing.Decision.Cut = "mood" }, `unknown cut "mood" (want max_time, max_blocks)`},
		"blocks":      {func(s *Scenario) { s.Sizing.Decision.Blocks = -3 }, "blocks -3"},
		"wanted":      {func(s *Scenario) { s.Sizing.Decision.Wanted = -3 }, "wanted -3"},
		"sd":          {func(s *Scenario) { s.Sizing.Decision.Cells[0].SD = -3 }, `size of cell "c01"`},
		"quantile":    {func(s *Scenario) { s.Questions[0].Quantile = 99 }, `question "q1": quantile 99 (want from 0 to 1)`},
		"test":        {func(s *Scenario) { s.Questions[0].Test = "a coin" }, `test a coin (want a word)`},
		"alternative": {func(s *Scenario) { s.Questions[0].Alternative = "more" }, `unknown alternative "more"`},
		"alpha":       {func(s *Scenario) { s.Questions[0].Alpha = 1 }, "alpha 1 (want"},
		"margin":      {func(s *Scenario) { s.Questions[0].Margin.Share = -1 }, "margin: share -1"},
	} {
		s := newStore(t)
		*s.Campaign() = *fullCampaign()
		tt.spoil(&s.Campaign().Scenarios[0])
		if err := s.SaveCampaign(); err != nil {
			t.Fatal(err)
		}
		_, err := Open(s.Dir())
		if problemOf(err) != problemDamaged || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `scenario "overhead"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFormatNamesEveryKey compares FORMAT.md with the types that are written.
func TestFormatNamesEveryKey(t *testing.T) {
	text, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	prose := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(string(text), "")
	for _, code := range regexp.MustCompile("`[^`]+`").FindAllString(prose, -1) {
		for _, w := range regexp.MustCompile(`[a-z0-9_]+`).FindAllString(code, -1) {
			words[w] = true
		}
	}
	for _, v := range []any{Campaign{}, Invocation{}, Machine{}} {
		for _, key := range keys(reflect.TypeOf(v), map[reflect.Type]bool{}) {
			if !words[key] {
				t.Errorf("FORMAT.md does not name %q of %T", key, v)
			}
		}
	}
}

// keys are the JSON keys of a type and of what it holds.
func keys(t reflect.Type, seen map[reflect.Type]bool) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() || seen[t] {
		return nil
	}
	seen[t] = true
	var found []string
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "-" {
			continue
		}
		if key != "" {
			found = append(found, key)
		}
		found = append(found, keys(f.Type, seen)...)
	}
	return found
}

package analysis_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
	"moobench/results/summary"
)

// doubted is a campaign whose files are not as they were sealed, and the summaries
// of whose first blocks are damaged.
type doubted struct {
	*testcampaign.Store
	blocks int
}

func (d doubted) Sealed() (bool, string) {
	return false, "changed since it was sealed: campaign.json"
}

func (d doubted) Summary(inv *results.Invocation) (*summary.Summary, error) {
	sum, err := d.Store.Summary(inv)
	if err != nil || inv.Block > d.blocks {
		return sum, err
	}
	anew := *sum
	anew.Anew = "its checksum is not the recorded one"
	return &anew, nil
}

// What is not as it was recorded is said beside the answers, and no answer lacks
// because of it.
func TestDoubts(t *testing.T) {
	s := testcampaign.Small()
	sound := analyse(t, s)
	a, err := analysis.Analyse(doubted{s, 2})
	if err != nil {
		t.Fatal(err)
	}
	if a.Changed != "changed since it was sealed: campaign.json" || !slices.Contains(a.Warnings, a.Changed) {
		t.Errorf("changed %q, warnings %q", a.Changed, a.Warnings)
	}
	i := slices.IndexFunc(a.Warnings, func(w string) bool { return strings.Contains(w, "computed again from the samples: its checksum") })
	if i < 0 || !strings.Contains(a.Warnings[i], "b0001.s00.r0, ") || !strings.Contains(a.Warnings[i], " more is damaged") {
		t.Errorf("warnings %q", a.Warnings)
	}
	if !slices.Equal(a.Unanswered, sound.Unanswered) || len(sound.Warnings) != 0 || sound.Changed != "" {
		t.Errorf("unanswered %q, and of the sound one %q with warnings %q", a.Unanswered, sound.Unanswered, sound.Warnings)
	}
}

func TestRecomputed(t *testing.T) {
	s := testcampaign.Small()
	for blocks, want := range map[int]string{0: "", 1: "the summary of b0001.s00.r0"} {
		all, err := analysis.Measure(doubted{s, blocks})
		if err != nil {
			t.Fatal(err)
		}
		if got := analysis.Recomputed(all); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%d blocks: %q", blocks, got)
		}
	}
}

// unlisted is a campaign whose machines can't be read.
type unlisted struct{ *testcampaign.Store }

func (unlisted) Machines() ([]*results.Machine, error) { return nil, errors.New("machines are gone") }

// Machines that can't be read are said once, and every answer is there, also where influences of
// variants were known on one of them.
func TestMachinesThatCantBeRead(t *testing.T) {
	s := testcampaign.Small()
	sound := analyse(t, s)
	s.Made.Influences = []results.Influence{{Cell: "c02", N: 10}}
	a, err := analysis.Analyse(unlisted{s})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(strings.Join(a.Warnings, "\n"), "machines are gone"); n != 1 || !slices.Equal(a.Unanswered, sound.Unanswered) {
		t.Errorf("warnings %q, unanswered %q", a.Warnings, a.Unanswered)
	}
}

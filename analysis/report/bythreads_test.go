package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// withSender is a campaign of an agent with a thread of its own, and of one without; of the calls of
// a third most CPU time was that of threads that ended.
func withSender(t *testing.T) *analysis.Answers {
	t.Helper()
	cells := append(testcampaign.Baselines(),
		testcampaign.Variant(2, "kieker/bci/tcp", results.ProofPlan{Kind: results.ProofNone}),
		testcampaign.Variant(3, "probe/bci/collect", results.ProofPlan{Kind: results.ProofNone}),
		testcampaign.Variant(4, "opentelemetry/bci/otlp", results.ProofPlan{Kind: results.ProofNone}))
	var values []testcampaign.Value
	for block := range 6 {
		for slot, c := range cells {
			jvm := 1 + 0.001*float64((block*7+slot*3)%5)
			call, sender, ended := 100.0, 0.0, 0.0
			switch name, _, _ := strings.Cut(c.Variant, "/"); name {
			case "kieker":
				call, sender = 150, 900
			case "probe":
				call = 120
			case "opentelemetry":
				call, sender, ended = 400, 300, 700
			}
			ran := func(name string, ns float64, group results.ThreadGroup) results.ThreadTime {
				return results.ThreadTime{Name: name, Threads: 1, RunNS: ns * jvm * 1e5, Group: group}
			}
			threads := &results.Threads{ProcessNS: (call + sender + ended + 7) * jvm * 1e5, EndedNS: ended * jvm * 1e5}
			threads.Names = []results.ThreadTime{ran("java", call, ""), ran("C* CompilerThre", 7, results.ThreadsCompiler)}
			if sender > 0 {
				threads.Names = append(threads.Names, ran("kieker.monitori", sender, results.ThreadsAgent))
			}
			values = append(values, testcampaign.Value{
				Block: block + 1, Slot: slot, Cell: c.ID, NS: call * jvm, CPUNS: (call + sender + ended + 7) * jvm, Threads: threads,
			})
		}
	}
	a, err := analysis.Analyse(testcampaign.FromValues(cells, values))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestCPUTimeByThread(t *testing.T) {
	a := withSender(t)
	var text bytes.Buffer
	if err := Write(&text, "text", a, Options{Width: 120}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(golden(t, "by-thread-120.txt", text.Bytes())), text.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if page := string(htmlOf(t, a, nil)); !strings.Contains(page, "CPU time by thread") || !strings.Contains(page, "kieker.monitori") {
		t.Error("the page does not say on whose threads CPU time was spent")
	}
}

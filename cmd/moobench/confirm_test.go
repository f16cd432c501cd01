package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"moobench/analysis"
	"moobench/analysis/history"
	"moobench/harness/framework"
	"moobench/results"
)

// nightsCommand is nights FILE OLD NEW LOG: a history of eleven nights of the
// campaign in OLD, and of a twelfth in NEW, whose value is LOG more than before.
func nightsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: nights FILE OLD NEW LOG")
	}
	change, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	before, err := nightIn(ts.MkAbs(args[1]))
	ts.Check(err)
	after, err := nightIn(ts.MkAbs(args[2]))
	ts.Check(err)
	var records []history.Record
	const earlier = 12 // one night alone confirms nothing where nights are known by few
	for i := -earlier; i < 12; i++ {
		n := before
		n.Log += 0.002 * float64((i+earlier)%3-1)
		if i == 11 {
			n = after
			n.Log = before.Log + change
		}
		n.ID, n.Commit = fmt.Sprintf("night-%02d", i+1), fmt.Sprintf("%02dcafe", i+1)
		if i < 0 {
			n.ID, n.Commit = fmt.Sprintf("early-%02d", -i), fmt.Sprintf("%02dbeef", -i)
		}
		n.When = time.Date(2026, 11, 1+i, 3, 0, 0, 0, time.UTC)
		records = append(records, history.Record{Kind: history.KindNight, Night: &n})
	}
	_, err = history.Append(ts.MkAbs(args[0]), records...)
	ts.Check(err)
}

// nightIn is the night of the first variant of a campaign against its baseline.
func nightIn(dir string) (history.Night, error) {
	store, err := results.Open(dir)
	if err != nil {
		return history.Night{}, err
	}
	answers, err := analysis.Analyse(store)
	if err != nil {
		return history.Night{}, err
	}
	c := store.Campaign()
	i := slices.IndexFunc(c.Cells, func(c results.Cell) bool { return c.Role == results.RoleVariant })
	s := answers.Scenarios[0]
	ratio := s.Cells[i].Metrics[0].Ratio
	if ratio == nil || ratio.SD == nil || s.Cells[i].ID != c.Cells[i].ID {
		return history.Night{}, errors.New("the campaign's first variant has no ratio")
	}
	return history.Night{
		Key: history.Key{
			Campaign: c.Name, Scenario: s.Label, Cell: c.Cells[i].Label(), Metric: s.Primary, Reference: framework.None,
			Machine: c.Versions["machine"], Runtime: c.Versions["jdk"],
		},
		Folder: filepath.Base(dir), Plan: "p", Tool: "test", Unit: "ns", Better: results.Lower,
		Log: math.Log(ratio.Value), SE: *ratio.SD / math.Sqrt(float64(ratio.N)), DF: float64(ratio.N - 1), N: ratio.N,
		Raw: 1, ReferenceRaw: 1, Artifacts: c.Cells[i].Launch.Artifacts,
	}, nil
}

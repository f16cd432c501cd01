package report

import (
	"io"
	"strings"
	"testing"

	"moobench/analysis/internal/testcampaign"
)

func TestLetters(t *testing.T) {
	for s, want := range map[string]string{
		"kieker/bci/tcp":    "KiekerBciTcp",
		"none, depth=10":    "NoneDepthOneZero",
		"p99.9":             "PNineNinePointNine",
		"rate=1.5":          "RateOnePointFive",
		"cpu_per_record":    "CpuPerRecord",
		"MyAgent":           "MyAgent",
		"a日b":               "AB",
		"\\def\\x{}":        "DefX",
		"what is 4 - 2 ...": "WhatIsFourTwo",
	} {
		if got := letters(s); got != want {
			t.Errorf("%q reads %s, want %s", s, got, want)
		}
	}
}

// Two things that would have one name are named; nothing is written of either.
func TestMacrosCollide(t *testing.T) {
	a := changeable(shared(t, testcampaign.Tiny))
	cells := a.Scenarios[0].Cells
	twin := cells[len(cells)-1]
	twin.Label = strings.ReplaceAll(twin.Label, "/", "-")
	a.Scenarios[0].Cells = append(cells, twin)
	err := writeMacros(io.Discard, a, Options{})
	const want = `\mbOverheadKiekerBciTcpCaveats would stand for "overhead / kieker/bci/tcp / caveats" and for "overhead / kieker-bci-tcp / caveats"`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the mistake is %v", err)
	}
}

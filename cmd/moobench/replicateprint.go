package main

import (
	"fmt"
	"io"

	"moobench/analysis/replication"
	"moobench/analysis/report"
	"moobench/results/published"
)

// printReplication writes a replication in a format of documents.
func (t *terminal) printReplication(r *replication.Replication, format string) error {
	o := t.options()
	if format == "html" {
		o.EChartsJS = t.charts("")
	}
	return report.WriteReplication(t.out, format, r, o)
}

// listedPaper is a paper in moobench replicate --list.
type listedPaper struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
	Tables int    `json:"tables"`
	Checks int    `json:"checks"`
	Claims int    `json:"claims"`
}

func listPapers(w io.Writer, format string) error {
	var all []listedPaper
	for _, name := range published.Names() {
		p, err := openPaper(name)
		if err != nil {
			return err
		}
		all = append(all, listedPaper{name, p.Title, p.Source, len(p.Tables), len(p.Checks), len(p.Claims)})
	}
	if format == "json" {
		return printJSON(w, all)
	}
	for _, p := range all {
		fmt.Fprintf(w, "%-16s %s\n%-16s %s; %d tables, %d checks, %d claims\n", p.Name, p.Title, "", p.Source, p.Tables, p.Checks, p.Claims)
	}
	return nil
}

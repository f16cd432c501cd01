package main

import (
	"os"
	"strings"
	"testing"
)

// CITATION.cff and the entry of BibTeX are about one program.
func TestCitation(t *testing.T) {
	data, err := os.ReadFile("../../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"version: " + version, `title: "` + cited + `"`, "- name: " + citedAuthor} {
		if !strings.Contains(string(data), line+"\n") {
			t.Errorf("CITATION.cff does not say %s", line)
		}
	}
	entry := citation()
	for _, field := range []string{"@misc{moobench,\n", "title  = {{" + cited + "}},\n", "author = {{" + citedAuthor + "}},\n", "note   = {Version " + version} {
		if !strings.Contains(entry, field) {
			t.Errorf("the entry of BibTeX lacks %q:\n%s", field, entry)
		}
	}
}

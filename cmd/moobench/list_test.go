package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"moobench/cmd/internal/console"
)

func TestFixtures(t *testing.T) {
	var out strings.Builder
	var l listing
	if err := l.fixtures(fstest.MapFS{
		"kernel/pom.xml": {Data: []byte("<project><name>kernel: no program</name></project>")},
		"shop/pom.xml":   {Data: []byte("<project><name>shop: sells &amp; ships</name></project>")},
		"shop/src/main/java/moobench/shop/Main.java": {},
	}); err != nil {
		t.Fatal(err)
	}
	l.write(console.Console{Out: &out})
	if want := "fixtures\n  shop           sells & ships\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	broken := fstest.MapFS{"x/pom.xml": {Data: []byte("<")}, "x/src/main/java/moobench/x/Main.java": {}}
	if err := l.fixtures(broken); err == nil || !strings.Contains(err.Error(), "x/pom.xml") {
		t.Errorf("a broken pom: %v", err)
	}
}

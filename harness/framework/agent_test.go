package framework

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A jar that names no class to start is refused, and who loads one is known by the option.
func TestCheckAgent(t *testing.T) {
	for manifest, want := range map[string]string{
		"Manifest-Version: 1.0\r\nPremain-Class: a.B\r\n\r\n":        "",
		"Premain-Class: \r\n a.B\r\n":                                "",
		"premain-class:a.B\n":                                        "",
		"Manifest-Version: 1.0\nMain-Class: a.B\n\n":                 "has no Premain-Class",
		"Manifest-Version: 1.0\n\nName: x\nPremain-Class: a.B\n":     "has no Premain-Class",
		"Manifest-Version: 1.0\nAgent-Class: a.B\nPremain-Class: \n": "has no Premain-Class",
		"": "has no Premain-Class",
	} {
		path := filepath.Join(t.TempDir(), "a.jar")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w := zip.NewWriter(f)
		if manifest != "" {
			m, err := w.Create(manifestName)
			if err != nil {
				t.Fatal(err)
			}
			m.Write([]byte(manifest))
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f.Close()
		err = CheckAgent(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want …%s…", manifest, err, want)
		}
	}
	if err := CheckAgent(os.Args[0]); err != nil {
		t.Errorf("no archive: %v", err)
	}
	v := Variant{Args: []string{"-javaagent:{jar.agent}", "-javaagent:{jar.other}=x", "-Dmore={jar.third}"}}
	for alias, want := range map[string]bool{"agent": true, "other": true, "third": false, "age": false} {
		if got := v.IsAgent(alias); got != want {
			t.Errorf("%s: %v", alias, got)
		}
	}
}

package cost

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"testing"

	"moobench/cmd/internal/session"
)

// TestDistribution: of a jar that is a distribution of a framework of the catalogue, it is said how it gets that one's
// options, unless its options or its proof are given, or nothing is to be said.
func TestDistribution(t *testing.T) {
	here(t)
	var jar bytes.Buffer
	z := zip.NewWriter(&jar)
	manifest, err := z.Create("META-INF/MANIFEST.MF")
	if err != nil {
		t.Fatal(err)
	}
	_, err = manifest.Write([]byte("Manifest-Version: 1.0\r\nPremain-Class: com.example.otel.Agent\r\n"))
	if err := errors.Join(err, z.Close(), os.WriteFile("otel.jar", jar.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	const says = "otel.jar is a distribution of opentelemetry: " +
		"--as opentelemetry gives it the same options, and counts its records\n"
	for name, c := range map[string]struct {
		q     *Question
		quiet bool
		want  string
	}{
		"a distribution":  {asked("otel.jar", func(*Question) {}), false, says},
		"with options":    {asked("otel.jar", func(q *Question) { q.As = "opentelemetry" }), false, ""},
		"with a proof":    {asked("otel.jar", func(q *Question) { q.Proof = "none" }), false, ""},
		"quietly":         {asked("otel.jar", func(*Question) {}), true, ""},
		"any other jar":   {asked("agent.jar", func(*Question) {}), false, ""},
		"the framework's": {asked("opentelemetry", func(*Question) {}), false, ""},
	} {
		var said bytes.Buffer
		o := session.Options{Dry: true, Quiet: c.quiet, Seeded: true, Seed: 1}
		if _, err := c.q.Open(lab(&said), o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if said.String() != c.want {
			t.Errorf("%s: %q, want %q", name, said.String(), c.want)
		}
	}
}

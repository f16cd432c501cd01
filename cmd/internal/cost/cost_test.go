package cost

import (
	"testing"

	"moobench/harness/strict"
)

func TestProof(t *testing.T) {
	for short, want := range map[string]string{
		"none":                         `"none"`,
		"otlp":                         `{ count = "otlp" }`,
		"file={dir}/*.csv":             `{ file = "{dir}/*.csv", lines = true }`,
		`log=recorded (\d+)`:           `{ log = 'recorded (\d+)' }`,
		"log=it's":                     `{ log = "it's" }`,
		"http=http://127.0.0.1:1/m  x": `{ http = "http://127.0.0.1:1/m", metric = "x" }`,
		"http=http://127.0.0.1:1/m":    `{ http = "http://127.0.0.1:1/m" }`,
		"command=wc -l a.csv":          `{ command = ["wc", "-l", "a.csv"] }`,
		"command=./count.sh {dir}":     `{ command = ["./count.sh", "{dir}"] }`,
		"command=":                     `{ command = [] }`,
		`{ log = "a", per_call = 1 }`:  `{ log = "a", per_call = 1 }`,
		"nonsense":                     `"nonsense"`,
	} {
		if got := strict.Literal((&Question{Save: "here.toml"}).proof(short)); got != want {
			t.Errorf("%s: %s, want %s", short, got, want)
		}
	}
}

// Command shape counts the features of the product's Go: tokens, wide lines, lengths of functions, functions
// with one caller, named types and comments. Run it at the root of the repository:
//
//	make shape
//	go run tools/shape/main.go tools/shape/tree.go tools/shape/comments.go [-wide] [-comments] [FOLDER]
//
// With -wide and -comments it lists lines over 120 columns and comments in the translator's form.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
)

func main() {
	wide := flag.Bool("wide", false, "list the lines over 120 columns")
	comments := flag.Bool("comments", false, "list the comments in the translator's form")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	t, err := Read(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "shape:", err)
		os.Exit(1)
	}
	if *wide {
		list(os.Stdout, t.Wide)
	}
	if *comments {
		list(os.Stdout, t.Translated)
	}
	t.Write(os.Stdout)
}

func list(w io.Writer, places []Place) {
	for _, p := range places {
		fmt.Fprintln(w, p)
	}
}

// Write prints the counts, a line each.
func (t *Tree) Write(w io.Writer) {
	fmt.Fprintf(w, "tokens                    %d, %.2f per line of code\n", t.Tokens, float64(t.Tokens)/float64(t.Code))
	fmt.Fprintf(w, "lines                     %d, of code %d\n", t.Lines, t.Code)
	fmt.Fprintf(w, "lines over %d columns    %d, %.1f per 1,000\n",
		columns, len(t.Wide), 1000*float64(len(t.Wide))/float64(t.Lines))
	fmt.Fprintf(w, "functions                 %d: median %d lines, p90 %d, p99 %d, longest %d\n", len(t.Functions),
		quantile(t.Functions, 0.5), quantile(t.Functions, 0.9), quantile(t.Functions, 0.99), quantile(t.Functions, 1))
	fmt.Fprintf(w, "called once               %d, %.1f %% of the functions\n",
		t.Once, percent(t.Once, len(t.Functions)))
	fmt.Fprintf(w, "types of the analysis     %d, between inference and document\n", t.Types)
	fmt.Fprintf(w, "comments                  %d, %d in the translator's form (%.1f %%)\n",
		t.Comments, len(t.Translated), percent(len(t.Translated), t.Comments))
}

func percent(n, all int) float64 { return 100 * float64(n) / float64(max(1, all)) }

func quantile(values []int, p float64) int {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

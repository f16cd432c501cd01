// Command mutants says how well the tests of each package hold the package itself: it changes one thing in a
// copy of the code, and runs the tests of the changed package alone. A change that they let pass survives, and
// is listed. Run it at the root of the repository:
//
//	make mutants
//	make mutants DRAWN="-seed 7 -n 120"
//	make mutants DRAWN="-n 10 analysis/prose analysis/proof"
//
// The same seed draws the same changes, as long as the code is the same.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == keeper {
		os.Exit(keep(os.Args[2:]))
	}
	var o options
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().Unix()), "changes are drawn by it")
	flag.IntVar(&o.n, "n", 60, "number of changes")
	flag.IntVar(&o.packages, "packages", 12, "number of packages that they are made in")
	flag.IntVar(&o.jobs, "jobs", 1, "number of packages that are tried at once")
	flag.Parse()
	o.only = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), unix.SIGINT, unix.SIGTERM, unix.SIGHUP)
	defer stop()
	if err := mutate(ctx, os.Stdout, ".", o); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// options say which changes are drawn, and how many packages are tried at once.
type options struct {
	seed              uint64
	n, packages, jobs int
	only              []string // folders that packages are drawn from; none: all
}

// mutate tries the changes that are drawn, and lists the survivors.
func mutate(ctx context.Context, w io.Writer, root string, o options) error {
	all, err := packagesOf(root)
	if err != nil {
		return err
	}
	if len(o.only) > 0 {
		all = slices.DeleteFunc(all, func(p *pkg) bool { return !slices.Contains(o.only, p.folder) })
		o.packages = len(all)
	}
	drawn := draw(all, o)
	if len(drawn) == 0 {
		return errors.New("there is no package to change: run it at the root of the repository")
	}
	temp, err := os.MkdirTemp("", "moobench-mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	fmt.Fprintf(w, "seed %d: %d changes in %d packages\n", o.seed, o.n, len(drawn))
	lab := lab{root: root, temp: temp}
	told := side(drawn, o.jobs, func(p *pkg) outcome { return lab.try(ctx, p) })
	var sum outcome
	for i := range drawn { // all of them end before the folder goes
		out := <-told[i]
		err = errors.Join(err, out.err)
		write(w, drawn[i], &out)
		sum.tried += out.tried
		sum.survived = append(sum.survived, out.survived...)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fmt.Fprintf(w, "%d of %d survive (%.0f %%)\n", len(sum.survived), sum.tried, 100*float64(len(sum.survived))/float64(max(1, sum.tried)))
	return err
}

// side tries so many packages at once, in their order, and hands the outcome of each on.
func side(drawn []*pkg, jobs int, try func(p *pkg) outcome) []chan outcome {
	told, next := make([]chan outcome, len(drawn)), make(chan int, len(drawn))
	for i := range drawn {
		told[i] = make(chan outcome, 1)
		next <- i
	}
	close(next)
	for range max(1, jobs) {
		go func() {
			for i := range next {
				told[i] <- try(drawn[i])
			}
		}()
	}
	return told
}

// write prints what became of the changes of a package.
func write(w io.Writer, p *pkg, out *outcome) {
	fmt.Fprintf(w, "%-32s %d of %d survive\n", p.folder, len(out.survived), out.tried)
	for _, c := range out.survived {
		fmt.Fprintf(w, "  %s\n", c)
	}
}

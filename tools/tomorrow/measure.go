package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"moobench/results"
)

// variants are the measured variants; the first is the baseline.
var variants = []string{"none", "kieker/bci/collect", "probe/bci/collect"}

// toml returns the campaign that is repeated. Its first line describes the other work, so that folders of both
// kinds are not mixed.
func (p plan) toml() string {
	return fmt.Sprintf(`# %s
name = "tomorrow"
seed = 20261126

[[scenario]]
use       = "overhead"
variants  = ["%s"]
depth     = %d
calls     = %d
blocks    = %d
resources = 0
`, p.beside(), strings.Join(variants, `", "`), p.depth, p.calls, p.blocks)
}

// beside describes the other work.
func (p plan) beside() string {
	if p.loops == 0 {
		return "nothing else running"
	}
	return fmt.Sprintf("beside %d programs that ask for %.0f %% of a CPU each, in bursts", p.loops, 100*p.load)
}

// folder returns the folder of a campaign, by its number from 0.
func folder(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("campaign-%02d", n+1)) }

// measure makes the campaigns that are missing or incomplete, one after the other.
func (p plan) measure(ctx context.Context, dir string) error {
	file := filepath.Join(dir, "benchmarks.toml")
	switch text, err := os.ReadFile(file); {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.WriteFile(file, []byte(p.toml()), 0o666); err != nil {
			return err
		}
	case err != nil:
		return err
	case string(text) != p.toml():
		return fmt.Errorf("%s has campaigns of another size or kind than is asked for: "+
			"give the same size, or another folder", dir)
	}
	for n := range p.campaigns {
		begin := time.Now()
		whole, err := complete(folder(dir, n))
		if whole {
			continue
		}
		if err == nil {
			err = p.campaign(ctx, dir, n)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted in campaign %d: with -keep, the same command goes on there", n+1)
		}
		if err != nil {
			return fmt.Errorf("campaign %d: %w", n+1, err)
		}
		fmt.Fprintf(os.Stderr, "campaign %d of %d took %.0f s\n", n+1, p.campaigns, time.Since(begin).Seconds())
	}
	return nil
}

// complete reports whether a campaign ran to its end. A campaign that was changed since is an error.
func complete(dir string) (bool, error) {
	if _, err := os.Stat(filepath.Join(dir, "campaign.json")); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	store, err := results.Open(dir)
	if err != nil {
		return false, err
	}
	sealed, changed := store.Sealed()
	if changed != "" {
		return false, fmt.Errorf("%s: %s", dir, changed)
	}
	return sealed, nil
}

// exitIncomplete is moobench's exit status if it finished but some answer is missing.
const exitIncomplete = 4

// campaign measures one campaign to its end, beside the requested other work.
func (p plan) campaign(ctx context.Context, dir string, n int) (err error) {
	tool, err := filepath.Abs(moobench)
	if err != nil {
		return err
	}
	stop, err := startBusy(ctx, p.loops, p.load)
	if err != nil {
		return fmt.Errorf("starting other work: %w", err)
	}
	defer func() { err = errors.Join(err, stop()) }()
	args := []string{"run", "--quiet", "-o", folder(dir, n), filepath.Join(dir, "benchmarks.toml")}
	if _, err := os.Stat(filepath.Join(folder(dir, n), "campaign.json")); err == nil {
		args = []string{"run", "--quiet", "--resume", folder(dir, n)}
	}
	if p.loops == 0 { // the other work doesn't wait, and would disturb the campaign that is waited for
		args = append(args, "--wait", "2h")
	}
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // so that the campaign can be resumed
	cmd.WaitDelay = 20 * time.Second
	output, err := cmd.CombinedOutput()
	if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == exitIncomplete {
		err = nil
	}
	whole, errWhole := complete(folder(dir, n))
	if err == nil && errWhole == nil && !whole {
		err = errors.New("it ended before all was measured")
	}
	if err = errors.Join(err, errWhole); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", moobench, strings.Join(args, " "), err, output[max(0, len(output)-4000):])
	}
	return nil
}

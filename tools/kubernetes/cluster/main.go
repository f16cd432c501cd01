// Command cluster is a Kubernetes cluster on one machine, for the test of the Job that moobench init kubernetes
// writes: the real etcd, kube-apiserver, kube-controller-manager and kube-scheduler, on loopback, and nodes of
// its own, which run pods as processes of this machine.
//
//	cluster check FILE                  reads the manifest of a Job, and refuses what Kubernetes does not know
//	cluster up BIN DIR NODE…            starts the programs in BIN; ends with its input
//
// DIR gets kubeconfig, which appears as soon as pods can be made, log/ and pods/<name>/, with the PID of the
// pod's first process and its output. DIR/nodes/<node>/env, if it exists, has additional environment variables
// for the processes of a node. It needs root, since each pod has its own PID namespace, with its rules for
// signals.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "check":
		return check(args[1])
	case len(args) > 3 && args[0] == "up":
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return up(untilEOF(ctx, os.Stdin), args[1], args[2], args[3:])
	case len(args) == 1 && args[0] == inside:
		return becomePod(os.Stdin)
	}
	return errors.New("usage: cluster check FILE | cluster up BIN DIR NODE…")
}

// untilEOF returns a context that is done when the input ends, so that a test that dies leaves nothing running.
func untilEOF(ctx context.Context, in io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, in) // a read error is an end, too
	}()
	return ctx
}

// up keeps a cluster until ctx is done.
func up(ctx context.Context, bin, dir string, nodes []string) (err error) {
	c := &cluster{bin: bin, dir: dir}
	defer func() { err = errors.Join(err, c.end()) }()
	if err := c.start(ctx); err != nil {
		return fmt.Errorf("starting the control plane: %w", err)
	}
	k, err := newKubelet(c.client, dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		k.end()
	}()
	if err := k.register(ctx, nodes); err != nil {
		return err
	}
	if err := k.watch(ctx); err != nil {
		return err
	}
	if err := c.announce(); err != nil {
		return err
	}
	return c.wait(ctx)
}

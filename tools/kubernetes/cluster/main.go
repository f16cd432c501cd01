// Command cluster is a Kubernetes cluster within one machine, for the test of the Job that moobench init kubernetes
// writes: the real etcd, kube-apiserver, kube-controller-manager and kube-scheduler, on loopback, and nodes of its own,
// which run pods as processes of this machine.
//
//	cluster check FILE                  reads the manifest of a Job, and refuses what Kubernetes does not know
//	cluster up BIN DIR NODE…            starts the programs in BIN; ends with its input
//
// DIR gets kubeconfig, which is there as soon as pods can be made, log/ and pods/<name>/, with the number of the pod's
// first process and what it said. DIR/nodes/<node>/env, where it is there, says what else the processes of a node have
// in their environment. It takes root, as each pod has process numbers of its own, and the signals that go with them.
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

// untilEOF is done when nobody holds the other end of the input any more: so a test that dies leaves nothing running.
func untilEOF(ctx context.Context, in io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, in) // an input that can't be read has ended, too
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

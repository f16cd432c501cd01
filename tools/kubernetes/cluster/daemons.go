package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"
)

const (
	loopback = "127.0.0.1"
	// patience is the time that a program may take to answer or to end.
	patience = time.Minute
)

// cluster is a control plane, with its programs in the order in which they were started.
type cluster struct {
	bin, dir string
	api      *rest.Config
	client   kubernetes.Interface
	daemons  []*daemon
	failed   chan error // one of the programs has ended
}

// daemon is a running program of the cluster.
type daemon struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// start starts the control plane, and waits until it answers.
func (c *cluster) start(ctx context.Context) error {
	if err := os.MkdirAll(c.path("log"), 0o777); err != nil {
		return err
	}
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	token := rand.Text()
	if err := c.prepare(ports[2], token); err != nil {
		return err
	}
	c.failed = make(chan error, 4)
	if err := c.run("etcd", "server", etcdFlags(c.path("etcd"), ports[0], ports[1])...); err != nil {
		return err
	}
	if err := c.run("kube-apiserver", "kube-apiserver", c.apiFlags(ports[2], ports[0])...); err != nil {
		return err
	}
	if err := c.ready(ctx); err != nil {
		return err
	}
	flags := []string{"--kubeconfig=" + c.path("admin"), "--leader-elect=false", "--secure-port=0"}
	if err := c.run("kube-scheduler", "kube-scheduler", flags...); err != nil {
		return err
	}
	const controllers = "job-controller,garbage-collector-controller,persistentvolume-binder-controller"
	return c.run("kube-controller-manager", "kube-controller-manager", append(flags, "--controllers="+controllers)...)
}

func (c *cluster) path(name string) string { return filepath.Join(c.dir, name) }

// prepare writes the credentials of the API server and its clients.
func (c *cluster) prepare(port, token string) error {
	certificate, key, err := cert.GenerateSelfSignedCertKey(loopback, []net.IP{net.ParseIP(loopback)}, nil)
	if err != nil {
		return fmt.Errorf("making a certificate: %w", err)
	}
	for name, text := range map[string][]byte{
		"cert": certificate, "key": key, "tokens": []byte(token + ",admin,admin,system:masters\n"),
	} {
		if err := os.WriteFile(c.path(name), text, 0o600); err != nil {
			return err
		}
	}
	config, server := api.NewConfig(), "https://"+net.JoinHostPort(loopback, port)
	config.Clusters["c"] = &api.Cluster{Server: server, CertificateAuthorityData: certificate}
	config.AuthInfos["admin"] = &api.AuthInfo{Token: token}
	config.Contexts["c"] = &api.Context{Cluster: "c", AuthInfo: "admin"}
	config.CurrentContext = "c"
	if err := clientcmd.WriteToFile(*config, c.path("admin")); err != nil {
		return err
	}
	if c.api, err = clientcmd.BuildConfigFromFlags("", c.path("admin")); err != nil {
		return err
	}
	c.api.QPS, c.api.Burst = 200, 200 // one client acts for all nodes
	c.client, err = kubernetes.NewForConfig(c.api)
	return err
}

func etcdFlags(dir, port, peers string) []string {
	url, peerURL := "http://"+net.JoinHostPort(loopback, port), "http://"+net.JoinHostPort(loopback, peers)
	return []string{
		"--data-dir=" + dir, "--name=c", "--unsafe-no-fsync", "--initial-cluster=c=" + peerURL,
		"--listen-client-urls=" + url, "--advertise-client-urls=" + url,
		"--listen-peer-urls=" + peerURL, "--initial-advertise-peer-urls=" + peerURL,
	}
}

// apiFlags returns the flags of the API server. Only the admin gets in, and may do everything. Pods need no
// accounts; nodes get no taint until they are ready, because ours are ready at once.
func (c *cluster) apiFlags(port, etcd string) []string {
	return []string{
		"--bind-address=" + loopback, "--advertise-address=" + loopback, "--secure-port=" + port,
		"--etcd-servers=http://" + net.JoinHostPort(loopback, etcd), "--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.0.0.0/24",
		"--tls-cert-file=" + c.path("cert"), "--tls-private-key-file=" + c.path("key"),
		"--token-auth-file=" + c.path("tokens"), "--anonymous-auth=false", "--authorization-mode=AlwaysAllow",
		"--service-account-issuer=https://" + loopback, "--service-account-key-file=" + c.path("key"),
		"--service-account-signing-key-file=" + c.path("key"),
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
	}
}

// run starts a program. It ends with this process, however this process ends.
func (c *cluster) run(name, program string, flags ...string) error {
	log, err := os.Create(c.path("log/" + name))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(filepath.Join(c.bin, program), flags...)
	cmd.Stdout, cmd.Stderr, cmd.Dir = log, log, c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return err
	}
	d := &daemon{name, cmd, make(chan struct{})}
	c.daemons = append(c.daemons, d)
	go func() {
		err := cmd.Wait()
		close(d.done)
		c.failed <- fmt.Errorf("%s has ended: %v\n%s", name, err, lastLines(log.Name()))
	}()
	return nil
}

// ready waits until the API server reports that it is ready.
func (c *cluster) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := c.client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("kube-apiserver is not ready: %w\n%s", err, lastLines(c.path("log/kube-apiserver")))
		case err := <-c.failed:
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// announce puts the kubeconfig where users wait for it.
func (c *cluster) announce() error { return os.Link(c.path("admin"), c.path("kubeconfig")) }

// wait waits until ctx is done, or a program ends, which is an error.
func (c *cluster) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-c.failed:
		return err
	}
}

// end ends the programs in reverse order of their start.
func (c *cluster) end() (err error) {
	for len(c.daemons) > 0 {
		d := c.daemons[len(c.daemons)-1]
		c.daemons = c.daemons[:len(c.daemons)-1]
		_ = d.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		select {
		case <-d.done:
		case <-time.After(patience):
			err = errors.Join(err, fmt.Errorf("%s did not end when it was told to", d.name), d.cmd.Process.Kill())
			<-d.done
		}
	}
	return err
}

// freePorts returns ports on which nobody listens.
func freePorts(n int) ([]string, error) {
	var ports []string
	for range n {
		l, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
		if err != nil {
			return nil, err
		}
		defer l.Close() // only when all are known, or the next one might be the same
		_, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			return nil, err
		}
		ports = append(ports, port)
	}
	return ports, nil
}

// lastLines returns the end of a log.
func lastLines(path string) string {
	const n = 20
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

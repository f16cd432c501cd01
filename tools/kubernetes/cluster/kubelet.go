package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	core "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// kubelet runs the pods of all nodes, as processes of this machine.
type kubelet struct {
	client kubernetes.Interface
	dir    string
	self   string // this program
	nodes  map[string]bool

	mu    sync.Mutex
	pods  map[types.UID]*pod
	ended bool // no pod is started any more
	going sync.WaitGroup
}

func newKubelet(client kubernetes.Interface, dir string) (*kubelet, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	k := &kubelet{client: client, dir: dir, self: self}
	k.nodes, k.pods = map[string]bool{}, map[types.UID]*pod{}
	return k, nil
}

// register makes nodes that are ready, and have room for one pod of the manifest.
func (k *kubelet) register(ctx context.Context, names []string) error {
	room := core.ResourceList{
		core.ResourceCPU:    resource.MustParse("4"),
		core.ResourceMemory: resource.MustParse("8Gi"),
		core.ResourcePods:   resource.MustParse("10"),
	}
	for _, name := range names {
		ready := core.NodeCondition{Type: core.NodeReady, Status: core.ConditionTrue, Reason: "KubeletReady"}
		node := &core.Node{
			ObjectMeta: meta.ObjectMeta{Name: name, Labels: map[string]string{core.LabelHostname: name}},
			Status: core.NodeStatus{
				Capacity: room, Allocatable: room, Conditions: []core.NodeCondition{ready},
			},
		}
		if _, err := k.client.CoreV1().Nodes().Create(ctx, node, meta.CreateOptions{}); err != nil {
			return fmt.Errorf("registering node %s: %w", name, err)
		}
		k.nodes[name] = true
	}
	return nil
}

// watch handles the pods that the scheduler assigns to the nodes, from now on.
func (k *kubelet) watch(ctx context.Context) error {
	factory := informers.NewSharedInformerFactory(k.client, 0)
	informer := factory.Core().V1().Pods().Informer()
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { k.see(ctx, o.(*core.Pod)) },
		UpdateFunc: func(_, o any) { k.see(ctx, o.(*core.Pod)) },
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return errors.New("the API server shows no pods")
	}
	return nil
}

// see acts on the state of a pod: it starts the pod, or tells it to end.
func (k *kubelet) see(ctx context.Context, p *core.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.nodes[p.Spec.NodeName] || k.ended {
		return
	}
	known := k.pods[p.UID]
	switch {
	case known == nil && p.Status.Phase == core.PodPending && p.DeletionTimestamp == nil:
		known = &pod{object: p, told: make(chan time.Duration, 1)}
		k.pods[p.UID] = known
		k.going.Go(func() { k.carry(ctx, known) })
	case p.DeletionTimestamp != nil && (known == nil || !known.end(p)):
		k.going.Go(func() { k.say(k.remove(ctx, p)) })
	}
}

// carry runs a pod from start to end, and reports how it ended.
func (k *kubelet) carry(ctx context.Context, p *pod) {
	status, err := k.live(ctx, p)
	if err != nil {
		status = core.PodStatus{Phase: core.PodFailed, Reason: "NodeError", Message: err.Error()}
	}
	if ctx.Err() != nil {
		return // the cluster ends, with all pods
	}
	k.say(err)
	k.say(k.report(ctx, p.object, status))
	if wasTold := p.finish(); wasTold {
		k.say(k.remove(ctx, p.object))
	}
}

// live starts a pod, and returns its status when it has ended.
func (k *kubelet) live(ctx context.Context, p *pod) (core.PodStatus, error) {
	container, err := k.container(ctx, p.object)
	if err != nil {
		return core.PodStatus{}, err
	}
	dir := filepath.Join(k.dir, "pods", p.object.Name)
	started := meta.Now()
	process, err := container.start(k.self, dir)
	if err != nil {
		return core.PodStatus{}, err
	}
	running := core.ContainerState{Running: &core.ContainerStateRunning{StartedAt: started}}
	if err := k.report(ctx, p.object, statusOf(p.object, core.PodRunning, started, running)); err != nil {
		return core.PodStatus{}, errors.Join(err, process.kill())
	}
	code := process.wait(ctx, p.told)
	phase, reason := core.PodSucceeded, "Completed"
	if code != 0 {
		phase, reason = core.PodFailed, "Error"
	}
	ended := core.ContainerState{Terminated: &core.ContainerStateTerminated{
		ExitCode: int32(code), Reason: reason, StartedAt: started, FinishedAt: meta.Now(),
	}}
	return statusOf(p.object, phase, started, ended), nil
}

// statusOf returns the status of a pod whose only container is in a state.
func statusOf(p *core.Pod, phase core.PodPhase, started meta.Time, state core.ContainerState) core.PodStatus {
	c, runs := p.Spec.Containers[0], state.Running != nil
	container := core.ContainerStatus{Name: c.Name, Image: c.Image, State: state, Ready: runs, Started: &runs}
	return core.PodStatus{Phase: phase, StartTime: &started, ContainerStatuses: []core.ContainerStatus{container}}
}

// report reports the status of a pod to the API server. Conditions that others set, such as a disruption
// target, stay.
func (k *kubelet) report(ctx context.Context, p *core.Pod, status core.PodStatus) error {
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return err
	}
	pods := k.client.CoreV1().Pods(p.Namespace)
	_, err = pods.Patch(ctx, p.Name, types.StrategicMergePatchType, patch, meta.PatchOptions{}, "status")
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// remove removes a pod that has ended and was to be deleted.
func (k *kubelet) remove(ctx context.Context, p *core.Pod) error {
	now := int64(0)
	err := k.client.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name,
		meta.DeleteOptions{GracePeriodSeconds: &now, Preconditions: meta.NewUIDPreconditions(string(p.UID))})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}

// say prints an error for whoever started the cluster.
func (k *kubelet) say(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
	}
}

// end waits for the pods, which end with their context.
func (k *kubelet) end() {
	k.mu.Lock()
	k.ended = true
	k.mu.Unlock()
	k.going.Wait()
}

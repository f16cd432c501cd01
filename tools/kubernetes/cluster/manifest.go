package main

import (
	"errors"
	"fmt"
	"os"

	batch "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// check reads the manifest of a Job as a strict API server does: unknown and duplicate fields, and wrong types,
// are errors.
func check(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	job, err := strictJob(text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(job.Spec.Template.Spec.Containers) == 0 {
		return fmt.Errorf("%s: its pods have no container", path)
	}
	fmt.Printf("%s: job %s, %d shards\n", path, job.Name, *job.Spec.Completions)
	return nil
}

// strictJob returns the Job of a manifest.
func strictJob(text []byte) (*batch.Job, error) {
	scheme := runtime.NewScheme()
	if err := batch.AddToScheme(scheme); err != nil {
		return nil, err
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	object, _, err := decoder.Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	job, is := object.(*batch.Job)
	if !is {
		return nil, fmt.Errorf("it describes a %T, which is not a batch/v1 Job", object)
	}
	if job.Spec.Completions == nil {
		return nil, errors.New("it does not say how many completions the Job has")
	}
	return job, nil
}

// Command flux-apply applies manifests the way Flux's kustomize-controller does: with Flux's own apply engine, set up as that
// controller sets it up. The tests use it to see what Flux does to an object that people and our controller write to.
//
//	flux-apply --kubeconfig FILE --namespace NAMESPACE MANIFEST
//
// It prints a JSON list with one entry an object, {"object", "action"}: created, configured, unchanged or skipped.
// Exit codes: 0 applied, 1 refused, 2 used wrongly.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/fluxcd/pkg/ssa/utils"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Field manager and label group of kustomize-controller.
const (
	controller = "kustomize-controller"
	group      = "kustomize.toolkit.fluxcd.io"
)

type options struct {
	kubeconfig string
	namespace  string
	// Name and namespace of the Kustomization the objects are said to belong to.
	kustomization string
	fluxNamespace string
	manifest      string
}

type entry struct {
	Object string `json:"object"`
	Action string `json:"action"`
}

func main() {
	var given options
	// A set of our own: a library has put a flag "kubeconfig" into the common one.
	flags := flag.NewFlagSet("flux-apply", flag.ExitOnError)
	flags.StringVar(&given.kubeconfig, "kubeconfig", "", "kubeconfig of the cluster")
	flags.StringVar(&given.namespace, "namespace", "default", "namespace of the objects that name none")
	flags.StringVar(&given.kustomization, "kustomization", "sources", "name of the Kustomization")
	flags.StringVar(&given.fluxNamespace, "flux-namespace", "flux-system", "namespace of the Kustomization")
	_ = flags.Parse(os.Args[1:])
	given.manifest = flags.Arg(0)
	if given.kubeconfig == "" || flags.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: flux-apply --kubeconfig FILE [--namespace NAMESPACE] MANIFEST")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log.SetLogger(logr.Discard())
	if err := run(ctx, given); err != nil {
		fmt.Fprintf(os.Stderr, "flux-apply: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, given options) error {
	config, err := clientcmd.BuildConfigFromFlags("", given.kubeconfig)
	if err != nil {
		return fmt.Errorf("kubeconfig: %w", err)
	}
	cluster, err := client.New(config, client.Options{})
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	objects, err := read(given.manifest, given.namespace, cluster.RESTMapper())
	if err != nil {
		return err
	}
	// No poller: nothing here waits for an object to become ready.
	manager := ssa.NewResourceManager(cluster, nil, ssa.Owner{Field: controller, Group: group})
	manager.SetOwnerLabels(objects, given.kustomization, given.fluxNamespace)
	changes, err := manager.ApplyAll(ctx, objects, applyOptions())
	if err != nil {
		return err
	}
	return report(changes)
}

func read(file, namespace string, mapper meta.RESTMapper) ([]*unstructured.Unstructured, error) {
	text, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	objects, err := utils.ReadObjects(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, object := range objects {
		kind := object.GroupVersionKind()
		mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if mapping.Scope.Name() == meta.RESTScopeNameNamespace && object.GetNamespace() == "" {
			object.SetNamespace(namespace)
		}
	}
	return objects, normalize.UnstructuredList(objects)
}

// applyOptions are those of kustomize-controller: what other writers left under these names is taken over, so that a field
// they added is Flux's own, is not in the manifest, and goes.
func applyOptions() ssa.ApplyOptions {
	options := ssa.DefaultApplyOptions()
	options.ExclusionSelector = map[string]string{group + "/reconcile": "disabled", group + "/ssa": "Ignore"}
	options.IfNotPresentSelector = map[string]string{group + "/ssa": "IfNotPresent"}
	options.ForceSelector = map[string]string{group + "/force": "enabled"}
	options.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{corev1.LastAppliedConfigAnnotation},
		FieldManagers: []ssa.FieldManager{
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: controller, OperationType: metav1.ManagedFieldsOperationUpdate},
		},
		Exclusions: map[string]string{group + "/ssa": "Merge"},
	}
	return options
}

func report(changes *ssa.ChangeSet) error {
	entries := make([]entry, 0, len(changes.Entries))
	for _, change := range changes.Entries {
		entries = append(entries, entry{Object: change.Subject, Action: strings.ToLower(string(change.Action))})
	}
	return json.NewEncoder(os.Stdout).Encode(entries)
}

// Command control-plane is a whole Kubernetes control plane in one program, for tests on a machine that has none: etcd,
// kube-apiserver, kube-controller-manager, kube-scheduler and kubectl, which share most of their code.
//
// It is the part it is called as (`ln -s control-plane kubectl`), the way envtest's assets are named; called by its own name
// it takes the part as its first argument. Never use it for anything but tests.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"          // --logging-format=json
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // the servers' own metrics
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

const self = "control-plane"

// The servers built with cobra; etcd and kubectl bring their own main functions.
var servers = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": manager.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
}

func main() {
	part := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if part == self && len(os.Args) > 1 {
		part = os.Args[1]
		os.Args = os.Args[1:]
	}
	if server, known := servers[part]; known {
		os.Exit(cli.Run(server()))
	}
	switch part {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kubectl":
		// kubectl reports its own errors, with its own exit codes: `diff` ends with 1 when there is a difference.
		if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
			kubectlutil.CheckErr(err)
		}
	default:
		fmt.Fprintf(os.Stderr, "%s: there is no part %q; "+
			"call it as etcd, kube-apiserver, kube-controller-manager, kube-scheduler or kubectl\n", self, part)
		os.Exit(2)
	}
}

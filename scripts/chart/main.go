// Chart renders a Helm chart as Helm does and prints what comes of it as JSON,
// when every object is one that Kubernetes knows, without a field that it does not
// know. It is a module of its own, so that Quire does not depend on Helm;
// scripts/setup.sh builds it.
//
//	chart {chart} {values.yaml} [upgrade]
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	keda "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// kinds are what an object may be, by version and kind.
var kinds = map[string]func() any{
	"apps/v1 Deployment":                      func() any { return new(apps.Deployment) },
	"autoscaling/v2 HorizontalPodAutoscaler":  func() any { return new(autoscaling.HorizontalPodAutoscaler) },
	"batch/v1 Job":                            func() any { return new(batch.Job) },
	"keda.sh/v1alpha1 ScaledObject":           func() any { return new(keda.ScaledObject) },
	"monitoring.coreos.com/v1 PrometheusRule": func() any { return new(monitoring.PrometheusRule) },
	"monitoring.coreos.com/v1 ServiceMonitor": func() any { return new(monitoring.ServiceMonitor) },
	"networking.k8s.io/v1 Ingress":            func() any { return new(networking.Ingress) },
	"networking.k8s.io/v1 NetworkPolicy":      func() any { return new(networking.NetworkPolicy) },
	"policy/v1 PodDisruptionBudget":           func() any { return new(policy.PodDisruptionBudget) },
	"v1 ConfigMap":                            func() any { return new(core.ConfigMap) },
	"v1 PersistentVolumeClaim":                func() any { return new(core.PersistentVolumeClaim) },
	"v1 Secret":                               func() any { return new(core.Secret) },
	"v1 Service":                              func() any { return new(core.Service) },
	"v1 ServiceAccount":                       func() any { return new(core.ServiceAccount) },
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: chart {chart} {values.yaml} [upgrade]")
		os.Exit(2)
	}
	objects, err := render(os.Args[1], os.Args[2], len(os.Args) > 3)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(objects)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

// render gives the objects of a chart with these values.
func render(folder, values string, upgrade bool) ([]any, error) {
	chart, err := loader.Load(folder)
	if err != nil {
		return nil, err
	}
	if err := chart.Validate(); err != nil {
		return nil, err
	}
	given, err := chartutil.ReadValuesFile(values)
	if err != nil {
		return nil, err
	}
	release := chartutil.ReleaseOptions{Name: "reports", Namespace: "office", Revision: 1, IsInstall: !upgrade, IsUpgrade: upgrade}
	all, err := chartutil.ToRenderValues(chart, given, release, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	e := engine.Engine{Strict: true}
	files, err := e.Render(chart, all)
	if err != nil {
		return nil, err
	}
	var objects []any
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) != ".yaml" {
			continue
		}
		for _, text := range documents.Split(files[name], -1) {
			if strings.TrimSpace(text) == "" {
				continue
			}
			object, err := strictly(text)
			if err != nil {
				faults = append(faults, fmt.Errorf("%s: %w\n%s", name, err, text))
			}
			objects = append(objects, object)
		}
	}
	return objects, errors.Join(faults...)
}

var documents = regexp.MustCompile(`(?m)^---\s*$`)

// strictly reads one object as what it says to be.
func strictly(text string) (any, error) {
	var is struct{ APIVersion, Kind string }
	if err := yaml.Unmarshal([]byte(text), &is); err != nil {
		return nil, err
	}
	new := kinds[is.APIVersion+" "+is.Kind]
	if new == nil {
		return nil, fmt.Errorf("%q of %q is not known", is.Kind, is.APIVersion)
	}
	object := new()
	return object, yaml.UnmarshalStrict([]byte(text), object)
}

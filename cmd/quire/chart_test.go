package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/internal/judges"
)

const chartFolder = "../../deploy/helm/quire"

// chartObject is what the tests look at of an object of the chart. That it has no
// fields that Kubernetes does not know the program that renders it has seen.
type chartObject struct {
	Kind     string
	Metadata struct {
		Name        string
		Labels      map[string]string
		Annotations map[string]string
	}
	Data map[string]any
	Spec struct {
		Selector       json.RawMessage
		PodSelector    json.RawMessage
		Replicas       *int
		MaxUnavailable any
		Strategy       struct{ Type string }
		Template       *chartPod
		ScaleTargetRef struct{ Kind, Name string }
		Ports          []struct{ TargetPort string }
		Groups         []struct{ Rules []struct{ Alert string } }
		Triggers       []chartTrigger
		MinReplicas    *int `json:"minReplicaCount"`
		Rules          []struct {
			Host string
			HTTP struct {
				Paths []struct {
					Path    string
					Backend struct {
						Service struct {
							Name string
							Port struct{ Name string }
						}
					}
				}
			}
		}
	}
}

type chartPod struct {
	Metadata struct{ Labels, Annotations map[string]string }
	Spec     struct {
		SecurityContext struct {
			RunAsNonRoot   bool
			RunAsUser      int
			FsGroup        int
			SeccompProfile struct{ Type, LocalhostProfile string }
		}
		TerminationGracePeriodSeconds int
		Containers                    []struct {
			Image                                       string
			Args                                        []string
			Env                                         []struct{ Name, Value string }
			Ports                                       []chartPart
			StartupProbe, LivenessProbe, ReadinessProbe *chartProbe
			VolumeMounts                                []chartPart
			SecurityContext                             struct {
				ReadOnlyRootFilesystem   bool
				AllowPrivilegeEscalation *bool
				Capabilities             struct{ Drop []string }
			}
		}
		Volumes []chartPart
	}
}

// chartPart is a port, a volume or where one is mounted.
type chartPart struct {
	Name, MountPath string
	Secret          struct{ SecretName string }
}

func hasPart(parts []chartPart, name string) bool {
	return slices.ContainsFunc(parts, func(p chartPart) bool { return p.Name == name })
}

type chartProbe struct {
	HTTPGet struct{ Path, Port string }
}

// chartTrigger is by what KEDA scales.
type chartTrigger struct {
	Type, MetricType  string
	Metadata          map[string]string
	AuthenticationRef struct{ Name string }
}

// renderChart renders the chart as Helm does.
func renderChart(t *testing.T, values string, more ...string) ([]chartObject, string) {
	t.Helper()
	cache, _ := os.UserCacheDir()
	program := filepath.Join(cache, "quire", "chart")
	if !exists(program) {
		judges.Missing(t, "needs the judge of the Helm chart; scripts/setup.sh test builds it")
	}
	file := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(file, []byte(values), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{chartFolder, file}, more...)...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return nil, said.String()
	}
	var objects []chartObject
	if err := json.Unmarshal(out.Bytes(), &objects); err != nil {
		t.Fatal(err)
	}
	return objects, ""
}

const (
	ofExistingSecret = `
image: {repository: registry.example.com/quire, tag: 0.1.0@sha256:abc, pullSecrets: [pull]}
settings: {PathBase: /reports, Storage.Url: "s3://quire?endpoint=https://s3.example.com", Limits.Rows: 2000000, Audit.Stdout: true}
secrets: {existing: quire, settings: [ConnectionStrings.Database, ConnectionStrings.Redis, Encryption.Key, Encryption.Vector, RootUser.Password], aws: true}
service: {replicas: 2}
workers: {replicas: 2, autoscaling: {enabled: true, min: 2, max: 8}}
seccompProfile: quire.json
ingress: {enabled: true, className: nginx, host: reports.example.com, tlsSecret: reports-tls, annotations: {nginx.ingress.kubernetes.io/proxy-body-size: 64m}}
networkPolicy:
  enabled: true
  from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ingress-nginx}}}]
  metricsFrom: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}]
  egress: [{ports: [{port: 443, protocol: TCP}, {port: 5432, protocol: TCP}, {port: 53, protocol: UDP}]}]
monitoring: {serviceMonitor: true, rules: true, dashboards: true, labels: {release: prometheus}}
migrateBeforeUpgrade: true
podAnnotations: {example.com/team: print}
nodeSelector: {kubernetes.io/os: linux}
tolerations: [{key: print, operator: Exists}]
affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}
`
	ofKeda = `
settings: {Storage.Url: "s3://quire"}
secrets: {existing: quire, settings: [ConnectionStrings.Database, Encryption.Key, Encryption.Vector]}
workers: {autoscaling: {enabled: true, min: 0, max: 8, seconds: 20, keda: {prometheus: "http://prometheus.monitoring:9090"}}}
`
	ofMadeSecret = `
settings: {Storage.Url: "s3://quire"}
secrets: {create: {ConnectionStrings.Database: "postgres://quire@db/quire", Encryption.Key: 0123456789abcdef0123456789abcdef, Encryption.Vector: 0123456789abcdef}}
service: {replicas: 3}
workers: {replicas: 1}
`
)

// The chart renders, with the objects that its values ask for, each as Kubernetes
// takes it and with settings that Quire takes.
func TestChartHoldsSettings(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/deployment.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```yaml\n(image: .*?)```").FindSubmatch(guide)
	if shown == nil {
		t.Fatal("the guide shows no values of several services and workers")
	}
	for name, of := range map[string]struct {
		values string
		kinds  string
	}{
		"of the guide":        {string(shown[1]), "Deployment Deployment Ingress PodDisruptionBudget PodDisruptionBudget Service"},
		"one service":         {"", "Deployment PersistentVolumeClaim Service"},
		"claim that is there": {"persistence: {existing: disk}", "Deployment Service"},
		"existing secret":     {ofExistingSecret, "ConfigMap Deployment Deployment HorizontalPodAutoscaler Ingress Job NetworkPolicy PodDisruptionBudget PodDisruptionBudget PrometheusRule Service Service ServiceMonitor"},
		"KEDA":                {ofKeda, "Deployment Deployment PodDisruptionBudget ScaledObject Service"},
		"made secret":         {ofMadeSecret, "Deployment Deployment PodDisruptionBudget PodDisruptionBudget Secret Service"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects, said := renderChart(t, of.values)
			if said != "" {
				t.Fatal(said)
			}
			var kinds []string
			for _, o := range objects {
				kinds = append(kinds, o.Kind)
				checkChartObject(t, o, objects)
			}
			slices.Sort(kinds)
			if got := strings.Join(kinds, " "); got != of.kinds {
				t.Errorf("there are %s; want %s", got, of.kinds)
			}
			if again, said := renderChart(t, of.values, "upgrade"); said != "" || len(again) != len(objects) {
				t.Errorf("as an upgrade: %d objects, %s", len(again), said)
			}
		})
	}
}

func checkChartObject(t *testing.T, o chartObject, all []chartObject) {
	t.Helper()
	name := o.Kind + " " + o.Metadata.Name
	if o.Metadata.Labels["app.kubernetes.io/instance"] != "reports" {
		t.Errorf("%s is nobody's: %v", name, o.Metadata.Labels)
	}
	if o.Spec.Template != nil {
		checkChartPod(t, name, o, all)
	}
	if selected := chosenBy(t, o); selected != nil {
		pods := 0
		for _, other := range all {
			labels := other.Metadata.Labels
			if o.Kind != "ServiceMonitor" {
				if other.Spec.Template == nil {
					continue
				}
				labels = other.Spec.Template.Metadata.Labels
			} else if other.Kind != "Service" {
				continue
			}
			if within(selected, labels) {
				pods++
			}
		}
		if pods == 0 {
			t.Errorf("%s chooses nothing by %v", name, selected)
		}
	}
	switch o.Kind {
	case "HorizontalPodAutoscaler", "ScaledObject":
		if i := slices.IndexFunc(all, named(o.Spec.ScaleTargetRef.Kind, o.Spec.ScaleTargetRef.Name)); i < 0 || all[i].Spec.Replicas != nil {
			t.Errorf("%s scales %+v, which is not there, or has a number of its own", name, o.Spec.ScaleTargetRef)
		}
		for _, trigger := range o.Spec.Triggers {
			checkChartTrigger(t, name, trigger)
		}
	case "Ingress":
		to := o.Spec.Rules[0].HTTP.Paths[0]
		if !slices.ContainsFunc(all, named("Service", to.Backend.Service.Name)) || o.Spec.Rules[0].Host != "reports.example.com" {
			t.Errorf("%s leads nowhere: %+v", name, o.Spec.Rules)
		}
	case "PrometheusRule":
		alerts := 0
		for _, g := range o.Spec.Groups {
			alerts += len(g.Rules)
		}
		text, err := os.ReadFile("../../deploy/prometheus/quire-alerts.yml")
		if want := strings.Count(string(text), "- alert:"); err != nil || alerts != want {
			t.Errorf("%s has %d alerts; want %d, %v", name, alerts, want, err)
		}
	case "ConfigMap":
		for _, file := range []string{"quire-documents.json", "quire-operation.json"} {
			text, err := os.ReadFile("../../deploy/grafana/" + file)
			if err != nil || o.Data[file] != string(text) {
				t.Errorf("%s has another %s, %v", name, file, err)
			}
		}
	}
}

// checkChartTrigger holds a trigger against what KEDA's scaler of Prometheus takes.
func checkChartTrigger(t *testing.T, name string, trigger chartTrigger) {
	t.Helper()
	takes := []string{"activationThreshold", "authModes", "ignoreNullValues", "namespace", "query", "serverAddress", "threshold", "timeout", "unsafeSsl"}
	for key := range trigger.Metadata {
		if !slices.Contains(takes, key) {
			t.Errorf("%s: the scaler does not know %s", name, key)
		}
	}
	if trigger.Type != "prometheus" || trigger.MetricType != "Value" || trigger.Metadata["serverAddress"] != "http://prometheus.monitoring:9090" || trigger.Metadata["threshold"] != "20" {
		t.Errorf("%s scales by %+v", name, trigger)
	}
}

// chosenBy are the labels by which an object chooses pods or services.
func chosenBy(t *testing.T, o chartObject) map[string]string {
	t.Helper()
	text := o.Spec.Selector
	if o.Kind == "NetworkPolicy" {
		text = o.Spec.PodSelector
	}
	if text == nil {
		return nil
	}
	labels := map[string]string{}
	if o.Kind == "Service" {
		if err := json.Unmarshal(text, &labels); err != nil {
			t.Fatal(err)
		}
		return labels
	}
	var by struct{ MatchLabels map[string]string }
	if err := json.Unmarshal(text, &by); err != nil {
		t.Fatal(err)
	}
	return by.MatchLabels
}

func within(some, all map[string]string) bool {
	for key, value := range some {
		if all[key] != value {
			return false
		}
	}
	return true
}

func named(kind, name string) func(chartObject) bool {
	return func(o chartObject) bool { return o.Kind == kind && o.Metadata.Name == name }
}

// checkChartPod holds a pod against the settings and the image that there are.
func checkChartPod(t *testing.T, name string, o chartObject, all []chartObject) {
	t.Helper()
	pod, c := o.Spec.Template.Spec, o.Spec.Template.Spec.Containers[0]
	settings := chartSettings(t, name, o, all)
	if o.Kind == "Deployment" {
		if least := settings.StopDelay + settings.StopGrace + 5; pod.TerminationGracePeriodSeconds <= least {
			t.Errorf("%s ends by force after %d s; it needs more than %d", name, pod.TerminationGracePeriodSeconds, least)
		}
		base := settings.PathBase
		if c.Args[0] == "worker" {
			base = ""
		}
		for path, probe := range map[string]*chartProbe{"/healthz": c.LivenessProbe, "/readyz": c.ReadinessProbe} {
			if probe == nil || probe.HTTPGet.Path != base+path || !hasPart(c.Ports, probe.HTTPGet.Port) {
				t.Errorf("%s is asked at %+v; want %s%s", name, probe, base, path)
			}
		}
		if oneAtATime := o.Spec.Strategy.Type == "Recreate"; oneAtATime == strings.HasPrefix(settings.Database, "postgres:") {
			t.Errorf("%s is upgraded by %s", name, o.Spec.Strategy.Type)
		}
	}
	if c.Args[0] == "worker" && settings.ExportsInService {
		t.Errorf("%s: services do what workers are there for", name)
	}
	volumes := map[string]string{"/tmp": "tmp", "/var/lib/quire": "data"}
	for _, m := range c.VolumeMounts {
		if !hasPart(pod.Volumes, m.Name) {
			t.Errorf("%s: volume %s is not declared", name, m.Name)
		}
		if volumes[m.MountPath] == m.Name {
			delete(volumes, m.MountPath)
		}
	}
	confined := c.SecurityContext
	profile := pod.SecurityContext.SeccompProfile
	if len(volumes) > 0 || !pod.SecurityContext.RunAsNonRoot || pod.SecurityContext.RunAsUser != 10001 || pod.SecurityContext.FsGroup != 10001 || !confined.ReadOnlyRootFilesystem ||
		confined.AllowPrivilegeEscalation == nil || *confined.AllowPrivilegeEscalation || !slices.Equal(confined.Capabilities.Drop, []string{"ALL"}) ||
		(profile.Type == "Localhost") != (settings.BrowserSandbox == "on") {
		t.Errorf("%s is not confined as the guide says: %+v %+v; not writable: %v", name, pod.SecurityContext, confined, slices.Collect(maps.Keys(volumes)))
	}
}

// chartSettings are those that a pod's environment gives, with the files of its secret.
func chartSettings(t *testing.T, name string, o chartObject, all []chartObject) *settings {
	t.Helper()
	values := map[string]string{"ConnectionStrings.Database": "postgres://quire@db/quire", "ConnectionStrings.Redis": "redis://redis:6379/0", "Encryption.Key": strings.Repeat("k", 32), "Encryption.Vector": strings.Repeat("v", 16), "RootUser.Password": "Root-pass-123"}
	folder := t.TempDir()
	var env []string
	for _, e := range o.Spec.Template.Spec.Containers[0].Env {
		if setting := strings.ReplaceAll(strings.TrimSuffix(e.Name, "_FILE"), "__", "."); !strings.HasPrefix(e.Name, "AWS_") && settingNamed(setting) == nil {
			t.Errorf("%s: there is no setting %s", name, e.Name)
		}
		if key, ok := strings.CutPrefix(e.Value, "/run/secrets/quire/"); ok {
			for _, v := range o.Spec.Template.Spec.Volumes {
				if i := slices.IndexFunc(all, named("Secret", v.Secret.SecretName)); v.Name == "secrets" && i >= 0 && all[i].Data[key] == nil {
					t.Errorf("%s: %s is not in %s", name, key, v.Secret.SecretName)
				}
			}
			e.Value = filepath.Join(folder, key)
			if err := os.WriteFile(e.Value, []byte(values[key]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		env = append(env, e.Name+"="+e.Value)
	}
	s, err := loadSettings("", env, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// What would not run is refused, with what is missing.
func TestChartRefuses(t *testing.T) {
	t.Parallel()
	for values, want := range map[string]string{
		"service: {replicas: 2}": "need ConnectionStrings.Database",
		"workers: {replicas: 1}": "need ConnectionStrings.Database",
		"secrets: {create: {ConnectionStrings.Database: 'postgres://quire@db/quire'}}":                                                 "the same Storage.Url",
		"settings: {Storage.Url: 's3://quire'}\nsecrets: {existing: quire, settings: [ConnectionStrings.Database, Encryption.Vector]}": "the same Encryption.Key",
		"secrets: {existing: quire, create: {RootUser.Password: secret}}":                                                              "existing or create",
		"secrets: {settings: [RootUser.Password]}":                                                                                     "name it in secrets.existing",
		"settings: {Shutdown.GraceSeconds: 90}":                                                                                        "is the chart's own",
		"replicas: 2":                                                                                                                  "replicas",
		"service: {replicas: '2'}":                                                                                                     "replicas",
		"ingress: {enabled: true, tlsSecret: a}":                                                                                       "ingress.host",
		"settings: {Browser: {Workers: 2}}":                                                                                            "Browser",
		"workers: {autoscaling: {enabled: true, min: 0}}":                                                                              "one worker is the least",
		"workers: {autoscaling: {enabled: true, min: 4, max: 2}}":                                                                      "min is more than max",
		"workers: {autoscaling: {keda: {prometheus: 'prometheus:9090'}}}":                                                              "prometheus",
		"workers: {autoscaling: {keda: {labels: 'office'}}}":                                                                           "labels",
		"networkPolicy: {enabled: true, from: all}":                                                                                    "from",
	} {
		objects, said := renderChart(t, values)
		if objects != nil || !strings.Contains(said, want) {
			t.Errorf("%s: %d objects, %q; want %q", values, len(objects), said, want)
		}
	}
}

// The chart installs the version that it lies beside, and the image says that it is of it.
func TestChartAndImageAreOfThisVersion(t *testing.T) {
	t.Parallel()
	version, err := os.ReadFile("../../VERSION")
	if err != nil {
		t.Fatal(err)
	}
	chart, err := os.ReadFile(filepath.Join(chartFolder, "Chart.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"version", "appVersion"} {
		if of := regexp.MustCompile(`(?m)^` + key + `: (.*)$`).FindSubmatch(chart); of == nil || string(of[1]) != strings.TrimSpace(string(version)) {
			t.Errorf("%s is %s; want %s", key, of, version)
		}
	}
	image, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	if label := `org.opencontainers.image.version="` + strings.TrimSpace(string(version)) + `"`; !strings.Contains(string(image), label) {
		t.Errorf("the Dockerfile has no label %s", label)
	}
}

{{- define "quire.name" -}}
{{ .Release.Name | trunc 45 | trimSuffix "-" }}
{{- end }}

{{- define "quire.selector" -}}
app.kubernetes.io/name: quire
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quire.labels" -}}
{{ include "quire.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "quire.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* Names of the settings that are files of the Secret, as a list. */ -}}
{{- define "quire.secretSettings" -}}
{{- if .Values.secrets.existing }}{{ .Values.secrets.settings | toJson }}{{ else }}{{ keys .Values.secrets.create | sortAlpha | toJson }}{{ end }}
{{- end }}

{{- define "quire.secretName" -}}
{{ .Values.secrets.existing | default (printf "%s-settings" (include "quire.name" .)) }}
{{- end }}

{{- define "quire.hasDatabase" -}}
{{- if or (has "ConnectionStrings.Database" (include "quire.secretSettings" . | fromJsonArray)) (hasKey .Values.settings "ConnectionStrings.Database") }}true{{ end }}
{{- end }}

{{- define "quire.hasWorkers" -}}
{{- if or .Values.workers.autoscaling.enabled (gt (int .Values.workers.replicas) 0) }}true{{ end }}
{{- end }}

{{- /* What KEDA asks Prometheus: how long the oldest task has waited, and a second more while one is
made, so that the last worker is not taken from it. Nothing, when nobody knows the queue. */ -}}
{{- define "quire.queueAge" -}}
{{- $of := .Values.workers.autoscaling.keda.labels -}}
max(quire_queue_oldest_seconds{ {{- $of -}} }) + (max(quire_queue_tasks{state="running"{{ with $of }},{{ . }}{{ end }}}) > bool 0) or 0 * max(quire_database_up{ {{- $of -}} } == 1)
{{- end }}

{{- define "quire.base" -}}
{{ get .Values.settings "PathBase" | default "" | trimSuffix "/" }}
{{- end }}

{{- /* What several processes need in common. */ -}}
{{- define "quire.check" -}}
{{- $given := concat (keys .Values.settings) (include "quire.secretSettings" . | fromJsonArray) }}
{{- if and .Values.secrets.existing .Values.secrets.create }}{{ fail "secrets: existing or create, not both" }}{{ end }}
{{- if and .Values.secrets.settings (not .Values.secrets.existing) }}{{ fail "secrets.settings are keys of a Secret: name it in secrets.existing, or give values in secrets.create" }}{{ end }}
{{- if and .Values.secrets.aws (not .Values.secrets.existing) }}{{ fail "secrets.aws is a key of secrets.existing" }}{{ end }}
{{- with .Values.workers.autoscaling }}
{{- if and .enabled (lt (int .min) 1) (not .keda.prometheus) }}{{ fail "workers.autoscaling.min: without KEDA one worker is the least" }}{{ end }}
{{- if gt (int .min) (int .max) }}{{ fail "workers.autoscaling.min is more than max" }}{{ end }}
{{- end }}
{{- if and (or (gt (int .Values.service.replicas) 1) (include "quire.hasWorkers" .)) (not (include "quire.hasDatabase" .)) }}{{ fail "several services, and workers, need ConnectionStrings.Database in secrets" }}{{ end }}
{{- if include "quire.hasDatabase" . }}
{{- range list "Storage.Url" "Encryption.Key" "Encryption.Vector" }}
{{- if not (has . $given) }}{{ fail (printf "with a database all pods need the same %s: give it in settings or secrets" .) }}{{ end }}
{{- end }}
{{- end }}
{{- range list "Address" "DataDir" "Metrics.Address" "Exports.InService" "Browser.Sandbox" "Shutdown.DelaySeconds" "Shutdown.GraceSeconds" }}
{{- if has . $given }}{{ fail (printf "settings: %s is the chart's own" .) }}{{ end }}
{{- end }}
{{- end }}

{{- /* Settings of every process, as environment. */ -}}
{{- define "quire.environment" -}}
- {name: Address, value: ":8080"}
- {name: DataDir, value: /var/lib/quire/data}
- {name: Metrics__Address, value: ":9464"}
- {name: Browser__Sandbox, value: {{ ternary "on" "auto" (ne .Values.seccompProfile "") | quote }}}
- {name: Shutdown__DelaySeconds, value: "5"}
- {name: Shutdown__GraceSeconds, value: "30"}
- {name: Exports__InService, value: {{ ternary "false" "true" (eq (include "quire.hasWorkers" .) "true") | quote }}}
{{- if not (hasKey .Values.settings "Log.Format") }}
- {name: Log__Format, value: json}
{{- end }}
{{- if not (hasKey .Values.settings "TrustedProxies") }}
- {name: TrustedProxies, value: private}
{{- end }}
{{- if and .Values.ingress.enabled .Values.ingress.host (not (hasKey .Values.settings "PublicUrl")) }}
- {name: PublicUrl, value: {{ printf "%s://%s" (ternary "https" "http" (ne .Values.ingress.tlsSecret "")) .Values.ingress.host | quote }}}
{{- end }}
{{- range $name, $value := .Values.settings }}
- {name: {{ $name | replace "." "__" }}, value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}}
{{- end }}
{{- range include "quire.secretSettings" . | fromJsonArray }}
- {name: {{ . | replace "." "__" }}_FILE, value: {{ printf "/run/secrets/quire/%s" . | quote }}}
{{- end }}
{{- if .Values.secrets.aws }}
- {name: AWS_SHARED_CREDENTIALS_FILE, value: /run/secrets/quire/aws}
{{- end }}
{{- end }}

{{- define "quire.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  {{- if .Values.seccompProfile }}
  type: Localhost
  localhostProfile: {{ .Values.seccompProfile | quote }}
  {{- else }}
  type: RuntimeDefault
  {{- end }}
{{- end }}

{{- define "quire.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: {drop: [ALL]}
{{- end }}

{{- define "quire.mounts" -}}
- {name: data, mountPath: /var/lib/quire}
- {name: tmp, mountPath: /tmp}
{{- if or .Values.secrets.aws (include "quire.secretSettings" . | fromJsonArray) }}
- {name: secrets, mountPath: /run/secrets/quire, readOnly: true}
{{- end }}
{{- end }}

{{- define "quire.volumes" -}}
- name: tmp
  emptyDir: {}
{{- if or .Values.secrets.aws (include "quire.secretSettings" . | fromJsonArray) }}
- name: secrets
  secret:
    secretName: {{ include "quire.secretName" . }}
    defaultMode: 0440
{{- end }}
{{- end }}

{{- /* What the pods of services, workers and the migration have in common. */ -}}
{{- define "quire.pod" -}}
automountServiceAccountToken: false
securityContext:
  {{- include "quire.podSecurity" . | nindent 2 }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Pods of one part on several nodes, where there are such. */ -}}
{{- define "quire.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "quire.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "quire.annotations" -}}
{{- with .Values.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- if .Values.secrets.create }}
quire/secrets: {{ .Values.secrets.create | toJson | sha256sum }}
{{- end }}
{{- end }}

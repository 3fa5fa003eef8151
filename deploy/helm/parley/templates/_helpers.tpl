{{/* Name of all resources of the release. */}}
{{- define "parley.name" -}}
{{- printf "%s" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "parley.labels" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Labels that select the pods of a component. Takes a dict of root and component. */}}
{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "parley.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Environment variables of every process. Takes a dict of root and extra, a map of further variables. */}}
{{- define "parley.env" -}}
{{- $values := .root.Values -}}
{{- $env := dict
  "PARLEY_BASE_URL" $values.baseUrl
  "TEMPORAL_ADDRESS" $values.temporal.address
  "TEMPORAL_NAMESPACE" $values.temporal.namespace
  "PARLEY_TRUSTED_PROXIES" $values.trustedProxies
  "PARLEY_STORAGE" "s3"
  "PARLEY_S3_BUCKET" $values.storage.bucket
  "PARLEY_S3_REGION" $values.storage.region
  "PARLEY_METRICS_HOST" "0.0.0.0"
-}}
{{- if $values.storage.endpoint }}{{ $_ := set $env "PARLEY_S3_ENDPOINT" $values.storage.endpoint }}{{ end -}}
{{- if $values.storage.accessKeyId }}{{ $_ := set $env "PARLEY_S3_ACCESS_KEY_ID" $values.storage.accessKeyId }}{{ end -}}
{{- range $name, $value := mergeOverwrite $env $values.settings .extra }}
- name: {{ $name }}
  {{- /* Numbers of values files are floats, which would become 1e+06. */}}
  value: {{ kindIs "float64" $value | ternary (toJson $value) (toString $value) | quote }}
{{- end }}
{{- end }}

{{- define "parley.podSettings" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
{{- end }}

{{/* Parts of a container that all processes share. */}}
{{- define "parley.container" -}}
image: {{ include "parley.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom:
  - secretRef: { name: {{ .Values.secretName }} }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Fails if no worker serves a queue, since its work would wait for ever. */}}
{{- define "parley.checkQueues" -}}
{{- $served := list -}}
{{- range .Values.workers }}
  {{- $served = concat $served (.queues | default (include "parley.queues" . | fromJsonArray)) -}}
{{- end -}}
{{- range include "parley.queues" . | fromJsonArray -}}
  {{- if not (has . $served) -}}
    {{- fail (printf "No worker serves the queue %s: add it to queues of an entry of workers." .) -}}
  {{- end -}}
{{- end -}}
{{- end }}

{{- define "parley.queues" -}}
["default", "ingestion", "embeddings", "models", "webhooks", "dispatcher", "outbox", "mail", "alerts", "calendar", "billing", "archives"]
{{- end }}

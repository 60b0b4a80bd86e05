{{- define "posthorn.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "posthorn.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "posthorn.labels" -}}
{{ include "posthorn.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "posthorn.secret" -}}
{{ .Values.database.existingSecret | default (include "posthorn.name" .) }}
{{- end }}

{{- define "posthorn.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "posthorn.name" .) }}
{{- end }}

{{- /* Refuses combinations that would lose data or never start. */ -}}
{{- define "posthorn.check" -}}
{{- with .Values }}
{{- if not .image.repository }}{{ fail "set image.repository to the image that deploy/Containerfile builds" }}{{ end }}
{{- $given := and .database.url .database.adminToken .database.masterKeys }}
{{- if .embedded.enabled }}
{{- if or .database.existingSecret .database.url }}{{ fail "embedded.enabled needs no database: remove the values under database" }}{{ end }}
{{- if or .split .autoscaling.enabled }}{{ fail "the embedded database has one pod: use PostgreSQL with split or autoscaling" }}{{ end }}
{{- else if not (or .database.existingSecret $given) }}
{{- fail "set database.existingSecret, or database.url, database.adminToken and database.masterKeys, or embedded.enabled" }}
{{- end }}
{{- end }}
{{- end }}

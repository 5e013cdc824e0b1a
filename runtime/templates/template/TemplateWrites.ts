import { json, jsonText } from "@carteiro/tables/StoredJson.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { TemplateState, TemplateVersion } from "./TemplateState.ts"

const key = { environment_id: "text", id: "text" } as const

const origin = { environment: "text", name: "text", language: "text", created_at: "timestamptz" } as const

const content = {
  category: "text",
  parameter_format: "text",
  status: "text",
  rejection_reason: "text",
  version_id: "text",
  version: "int4",
  submitted_at: "timestamptz",
  approved_at: "timestamptz",
  latest_approved_version_id: "text",
  latest_approved_version: "int4",
  sending_status: "text",
  provider_template_id: "text",
  provider_quality: "text",
  due_at: "timestamptz",
  attempts: "int4",
  trace_id: "text",
  deleted_at: "timestamptz",
  updated_at: "timestamptz"
} as const

const versionColumns = {
  ...key,
  template_id: "text",
  version: "int4",
  status: "text",
  category: "text",
  parameter_format: "text",
  components: json<TemplateVersion["components"]>(),
  rejection_reason: "text",
  submitted_at: "timestamptz",
  approved_at: "timestamptz",
  created_at: "timestamptz",
  updated_at: "timestamptz"
} as const

const insertTemplate = defineInsert({ table: "templates", columns: { ...key, ...origin, ...content } })

const saveTemplate = defineUpdate({
  name: "templates.save",
  table: "templates",
  key,
  set: content,
  target: rowOf("templates", "id")
})

const saveSync = defineInsert({
  name: "template_syncs.save",
  table: "template_syncs",
  columns: { environment_id: "text", due_at: "timestamptz" },
  conflict: { on: ["environment_id"], update: ["due_at"] },
  target: rowOf("template_syncs", "environment_id")
})

const saveVersion = defineInsert({
  name: "template_versions.save",
  table: "template_versions",
  columns: versionColumns,
  conflict: {
    on: ["environment_id", "id"],
    update: [
      "status",
      "category",
      "parameter_format",
      "components",
      "rejection_reason",
      "submitted_at",
      "approved_at",
      "updated_at"
    ]
  },
  target: rowOf("template_versions", "id")
})

/** Returns the rows of a new template with its first version. */
export const insertedTemplate = (template: TemplateState): ReadonlyArray<Row> => [
  insertTemplate.row({ ...keyOf(template), ...originOf(template), ...contentOf(template) }),
  versionRow(template, template.newest)
]

/** Returns the rows of a changed template with its changed versions. */
export const savedTemplate = (
  template: TemplateState,
  versions: ReadonlyArray<TemplateVersion>
): ReadonlyArray<Row> => [
  saveTemplate.row({ ...keyOf(template), ...contentOf(template) }),
  ...versions.map((version) => versionRow(template, version))
]

/** Returns the row with the next comparison of an environment with its provider, epoch milliseconds. */
export const savedSync = (environment_id: string, due_at: number): Row => saveSync.row({ environment_id, due_at })

const keyOf = ({ environment_id, id }: TemplateState) => ({ environment_id, id })

const originOf = ({ created_at, environment, language, name }: TemplateState) => ({
  environment,
  name,
  language,
  created_at
})

const contentOf = (template: TemplateState) => {
  const { approved, newest } = template
  return {
    category: newest.category,
    parameter_format: newest.parameter_format,
    status: newest.status,
    rejection_reason: newest.rejection_reason,
    version_id: newest.id,
    version: newest.version,
    submitted_at: newest.submitted_at,
    approved_at: newest.approved_at,
    latest_approved_version_id: approved?.id ?? null,
    latest_approved_version: approved?.version ?? null,
    sending_status: approved?.status ?? null,
    provider_template_id: template.provider_template_id,
    provider_quality: template.provider_quality,
    due_at: template.due_at,
    attempts: template.attempts,
    trace_id: template.trace_id,
    deleted_at: template.deleted_at,
    updated_at: template.updated_at
  }
}

const versionRow = (template: TemplateState, version: TemplateVersion): Row =>
  saveVersion.row({
    environment_id: template.environment_id,
    id: version.id,
    template_id: template.id,
    version: version.version,
    status: version.status,
    category: version.category,
    parameter_format: version.parameter_format,
    components: jsonText(version.components),
    rejection_reason: version.rejection_reason,
    submitted_at: version.submitted_at,
    approved_at: version.approved_at,
    created_at: version.created_at,
    updated_at: version.updated_at
  })

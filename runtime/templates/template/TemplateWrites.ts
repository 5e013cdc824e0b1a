import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { TemplateState, TemplateVersion } from "./TemplateState.ts"
import { templateSyncsTable, templatesTable, templateVersionsTable } from "./TemplateTables.ts"

const origin = ["environment", "name", "language", "created_at"] as const

const content = [
  "category",
  "parameter_format",
  "status",
  "rejection_reason",
  "version_id",
  "version",
  "submitted_at",
  "approved_at",
  "latest_approved_version_id",
  "latest_approved_version",
  "sending_status",
  "provider_template_id",
  "provider_quality",
  "due_at",
  "attempts",
  "trace_id",
  "deleted_at",
  "updated_at"
] as const

const versionColumns = [
  "environment_id",
  "id",
  "template_id",
  "version",
  "status",
  "category",
  "parameter_format",
  "components",
  "rejection_reason",
  "submitted_at",
  "approved_at",
  "created_at",
  "updated_at"
] as const

const insertTemplate = insertInto(templatesTable, { columns: ["environment_id", "id", ...origin, ...content] })

const saveTemplate = updateOf(templatesTable, {
  name: "templates.save",
  set: content,
  target: rowOf("templates", "id")
})

const saveSync = insertInto(templateSyncsTable, {
  name: "template_syncs.save",
  columns: ["environment_id", "due_at"],
  conflict: { on: ["environment_id"], update: ["due_at"] },
  target: rowOf("template_syncs", "environment_id")
})

const saveVersion = insertInto(templateVersionsTable, {
  name: "template_versions.save",
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

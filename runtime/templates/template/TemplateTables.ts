import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ProviderQuality, TemplateCategory, TemplateStatus } from "@carteiro/schema/templates/Template.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import type { ParameterFormat } from "@carteiro/schema/templates/TemplateVariables.ts"
import {
  defaulted,
  defineTable,
  int4,
  jsonOf,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { ids, tenant } from "../../erasure/Standings.ts"

/** The instant at which the templates of an environment are compared with the provider's next. */
export const templateSyncsTable = defineTable("template_syncs", {
  owner: "templates",
  erasure: ids,
  key: ["environment_id"],
  columns: {
    environment_id: text,
    due_at: timestamptz
  }
})

/** Versions of templates, with the review of each; instants are epoch milliseconds. */
export const templateVersionsTable = defineTable("template_versions", {
  owner: "templates",
  erasure: tenant,
  reset: "changed",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    template_id: text,
    version: int4,
    status: textOf<TemplateStatus>(),
    category: textOf<TemplateCategory>(),
    parameter_format: textOf<ParameterFormat>(),
    components: jsonOf<ReadonlyArray<TemplateComponent>>(),
    rejection_reason: nullable(text),
    submitted_at: nullable(timestamptz),
    approved_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** Templates by name and language, with columns of the newest version; instants are epoch milliseconds. */
export const templatesTable = defineTable("templates", {
  owner: "templates",
  erasure: tenant,
  reset: "changed",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: textOf<EnvironmentKind>(),
    name: text,
    language: text,
    category: textOf<TemplateCategory>(),
    parameter_format: textOf<ParameterFormat>(),
    status: textOf<TemplateStatus>(),
    rejection_reason: nullable(text),
    version_id: text,
    version: int4,
    submitted_at: nullable(timestamptz),
    approved_at: nullable(timestamptz),
    latest_approved_version_id: nullable(text),
    latest_approved_version: nullable(int4),
    sending_status: nullable(text),
    provider_template_id: nullable(text),
    provider_quality: defaulted(textOf<ProviderQuality>()),
    /** When its review continues; null when nothing is due here. */
    due_at: nullable(timestamptz),
    /** The attempts of this review at the provider. */
    attempts: defaulted(int4),
    /** The trace id of the request that submitted it last. */
    trace_id: text,
    deleted_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** The columns of a version. */
export const versionColumns = select(
  templateVersionsTable,
  "id",
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
)

/** The columns of a template without its versions. */
export const headColumns = select(
  templatesTable,
  "environment_id",
  "id",
  "environment",
  "name",
  "language",
  "version_id",
  "latest_approved_version_id",
  "provider_template_id",
  "provider_quality",
  "due_at",
  "attempts",
  "trace_id",
  "deleted_at",
  "created_at",
  "updated_at"
)

/** The columns of a template as a search by its name needs it. */
export const namedColumns = select(templatesTable, "id", "environment_id", "name", "language")

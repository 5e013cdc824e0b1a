import { defaulted, defineTable, int4, jsonOf, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids, tenant } from "../../erasure/Standings.ts"
import type { TemplateVersion } from "./TemplateState.ts"

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

/** Versions of templates, with the review of each. */
export const templateVersionsTable = defineTable("template_versions", {
  owner: "templates",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    template_id: text,
    version: int4,
    status: text,
    category: text,
    parameter_format: text,
    components: jsonOf<TemplateVersion["components"]>(),
    rejection_reason: nullable(text),
    submitted_at: nullable(timestamptz),
    approved_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** Templates by name and language. */
export const templatesTable = defineTable("templates", {
  owner: "templates",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: text,
    name: text,
    language: text,
    category: text,
    parameter_format: text,
    status: text,
    rejection_reason: nullable(text),
    version_id: text,
    version: int4,
    submitted_at: nullable(timestamptz),
    approved_at: nullable(timestamptz),
    latest_approved_version_id: nullable(text),
    latest_approved_version: nullable(int4),
    sending_status: nullable(text),
    provider_template_id: nullable(text),
    provider_quality: defaulted(text),
    due_at: nullable(timestamptz),
    attempts: defaulted(int4),
    trace_id: text,
    deleted_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

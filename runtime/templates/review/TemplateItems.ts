import { Claim } from "@carteiro/owners/Idempotency.ts"
import { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { ParameterFormat, ProviderQuality, TemplateCategory } from "@carteiro/schema/templates/Template.ts"
import { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { Schema } from "effect"

/** A finished response: made before the commit and stored with it, so that a replay has identical bytes. */
export const StoredResponse = Schema.Struct({ status: Schema.Int, body: Schema.String })
export type StoredResponse = typeof StoredResponse.Type

const call = { trace_id: Schema.String, claim: Schema.UndefinedOr(Claim) }

/** The caller mints the ids, so that a repeated call makes one template. */
const made = { ...call, id: Schema.String, version_id: Schema.String, environment: EnvironmentKind }

const content = {
  category: TemplateCategory,
  parameter_format: ParameterFormat,
  components: Schema.Array(TemplateComponent)
}

export const CreateItem = Schema.Struct({ ...made, name: Schema.String, language: Schema.String, ...content })
export type CreateItem = typeof CreateItem.Type

export const DuplicateItem = Schema.Struct({
  ...made,
  of: Schema.String,
  name: Schema.UndefinedOr(Schema.String),
  language: Schema.UndefinedOr(Schema.String)
})
export type DuplicateItem = typeof DuplicateItem.Type

export const UpdateItem = Schema.Struct({
  trace_id: Schema.String,
  id: Schema.String,
  version_id: Schema.String,
  category: Schema.UndefinedOr(content.category),
  parameter_format: Schema.UndefinedOr(content.parameter_format),
  components: Schema.UndefinedOr(content.components)
})
export type UpdateItem = typeof UpdateItem.Type

/** One template that the provider has approved; the caller mints the ids. */
export const ImportedTemplate = Schema.Struct({
  id: Schema.String,
  version_id: Schema.String,
  name: Schema.String,
  language: Schema.String,
  ...content,
  provider_template_id: Schema.String,
  provider_quality: ProviderQuality
})
export type ImportedTemplate = typeof ImportedTemplate.Type

export const ImportItem = Schema.Struct({
  ...call,
  environment: EnvironmentKind,
  templates: Schema.Array(ImportedTemplate),
  /** The account's templates that cannot be imported. */
  left_out: Schema.Int
})
export type ImportItem = typeof ImportItem.Type

export const OneItem = Schema.Struct({ ...call, id: Schema.String })
export type OneItem = typeof OneItem.Type

export const SetStatusItem = Schema.Struct({
  ...call,
  id: Schema.String,
  /** Absent where the category changes. */
  status: Schema.optionalKey(Schema.Literals(["rejected", "paused", "disabled"])),
  rejection_reason: Schema.NullOr(Schema.String),
  /** The category to which the template moves instead. */
  category: Schema.optionalKey(TemplateCategory)
})
export type SetStatusItem = typeof SetStatusItem.Type

/**
 * A notice of the provider about one template: a decision, a rating, or both. A later member is optional: nodes of the
 * release before send none, and ignore it.
 */
export const ReviewItem = Schema.Struct({
  provider_template_id: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  decision: Schema.NullOr(Schema.Literals(["approved", "rejected", "paused", "disabled"])),
  reason: Schema.NullOr(Schema.String),
  quality: Schema.NullOr(ProviderQuality),
  /** True when the provider deletes the template. */
  orphaned: Schema.optionalKey(Schema.Boolean),
  /** The category that the provider gives the template. */
  category: Schema.optionalKey(TemplateCategory),
  trace_id: Schema.String
})
export type ReviewItem = typeof ReviewItem.Type

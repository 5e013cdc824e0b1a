import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ProviderQuality, TemplateCategory, TemplateStatus } from "@carteiro/schema/templates/Template.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import type { ParameterFormat } from "@carteiro/schema/templates/TemplateVariables.ts"

/** The parts of a version that its author writes. */
export interface TemplateContent {
  readonly category: TemplateCategory
  readonly parameter_format: ParameterFormat
  readonly components: ReadonlyArray<TemplateComponent>
}

/** A change of a version by its author; absent members do not change. */
export type ContentChange = { readonly [K in keyof TemplateContent]?: TemplateContent[K] | undefined }

/** One version; instants are epoch milliseconds. */
export interface TemplateVersion extends TemplateContent {
  readonly id: string
  readonly version: number
  readonly status: TemplateStatus
  readonly rejection_reason: string | null
  readonly submitted_at: number | null
  readonly approved_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

/** A template: reads show its newest version, sends use the version approved last. gaps-2 G "Template routes" */
export interface TemplateState {
  readonly environment_id: string
  readonly id: string
  readonly environment: EnvironmentKind
  readonly name: string
  readonly language: string
  readonly newest: TemplateVersion
  /** The object `newest` itself while no draft or review is newer. */
  readonly approved: TemplateVersion | undefined
  readonly provider_template_id: string | null
  readonly provider_quality: ProviderQuality
  /** When its review continues; null when nothing is due here. */
  readonly due_at: number | null
  /** The attempts of this review at the provider. */
  readonly attempts: number
  /** The trace id of the request that submitted it last. */
  readonly trace_id: string
  readonly deleted_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

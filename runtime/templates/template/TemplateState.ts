import type { TemplateCategory } from "@carteiro/schema/templates/Template.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import type { ParameterFormat } from "@carteiro/schema/templates/TemplateVariables.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { headColumns, versionColumns } from "./TemplateTables.ts"

/** The parts of a version that its author writes. */
export interface TemplateContent {
  readonly category: TemplateCategory
  readonly parameter_format: ParameterFormat
  readonly components: ReadonlyArray<TemplateComponent>
}

/** A change of a version by its author; absent members do not change. */
export type ContentChange = { readonly [K in keyof TemplateContent]?: TemplateContent[K] | undefined }

/** One version. */
export interface TemplateVersion extends Omit<SelectedRow<typeof versionColumns>, "components">, TemplateContent {}

/** A template without its versions. */
export type TemplateHead = SelectedRow<typeof headColumns>

/** A template: reads show its newest version, sends use the version approved last. gaps-2 G "Template routes" */
export interface TemplateState extends Omit<TemplateHead, "version_id" | "latest_approved_version_id"> {
  readonly newest: TemplateVersion
  /** The object `newest` itself while no draft or review is newer. */
  readonly approved: TemplateVersion | undefined
}

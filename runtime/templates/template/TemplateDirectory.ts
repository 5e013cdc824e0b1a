import { Context, Effect, Layer } from "effect"
import { type TemplateFilters, TemplateRepo } from "./TemplateRepo.ts"
import type { TemplateState, TemplateVersion } from "./TemplateState.ts"

/** What other rooms and pages may read of the templates of an environment. */
export class TemplateDirectory extends Context.Service<
  TemplateDirectory,
  {
    find(environmentId: string, id: string): Effect.Effect<TemplateState | undefined>
    /** Newest first, after `before` when given. */
    list(
      environmentId: string,
      filters: TemplateFilters,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<TemplateState>>
    /** Every version of a template, newest first. */
    versions(environmentId: string, id: string): Effect.Effect<ReadonlyArray<TemplateVersion>>
  }
>()("@carteiro/runtime/templates/template/TemplateDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(TemplateRepo, ({ find, list, versions }) => TemplateDirectory.of({ find, list, versions }))
  )
}

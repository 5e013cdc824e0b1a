import { walkOn } from "@carteiro/tables/BoundedWalk.ts"
import { Context, Effect, Layer } from "effect"
import { type TemplateFilters, TemplateRepo } from "./TemplateRepo.ts"
import type { TemplateState } from "./TemplateState.ts"

/** Reads the templates of an environment for other rooms and for operators. */
export class TemplateDirectory extends Context.Service<
  TemplateDirectory,
  Pick<TemplateRepo["Service"], "find" | "versions"> & {
    /** Returns templates newest first, after `before` when given. */
    list(
      environmentId: string,
      filters: TemplateFilters,
      before: string | undefined,
      count: number
    ): Effect.Effect<ReadonlyArray<TemplateState>>
  }
>()("@carteiro/runtime/templates/template/TemplateDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(TemplateRepo, ({ find, list, versions }) =>
      TemplateDirectory.of({
        find,
        list: (environmentId, filters, before, count) =>
          walkOn(count, (reached, rest) => list(environmentId, filters, reached ?? before, rest)),
        versions
      })
    )
  )
}

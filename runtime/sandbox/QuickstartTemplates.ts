import { Context, Effect } from "effect"

/** A template as the quickstart lists it. gaps-2 J "Quickstart content" */
export interface QuickstartTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly category: string
  readonly status: string
}

/** Lists the templates of an environment; the room that owns them is heard through it. */
export const QuickstartTemplates = Context.Reference<
  (environmentId: string) => Effect.Effect<ReadonlyArray<QuickstartTemplate>>
>("@carteiro/runtime/sandbox/QuickstartTemplates", { defaultValue: () => () => Effect.succeed([]) })

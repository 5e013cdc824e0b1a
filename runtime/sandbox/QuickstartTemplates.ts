import { Context, Effect } from "effect"
import type { QuickstartTemplate } from "./Quickstart.ts"

/** Lists the templates of an environment; the room that owns them is heard through it. */
export const QuickstartTemplates = Context.Reference<
  (environmentId: string) => Effect.Effect<ReadonlyArray<QuickstartTemplate>>
>("@carteiro/runtime/sandbox/QuickstartTemplates", { defaultValue: () => () => Effect.succeed([]) })

import { parseId } from "@carteiro/owners/Ids.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { FlowEntry } from "@carteiro/schema/flows/Flow.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { FlowRepo } from "./FlowRepo.ts"
import { type FlowDefinition, readFlowEntry } from "./FlowState.ts"

type Place = { readonly id: string; readonly kind: EnvironmentKind }

/** A flow as the dashboard shows it. */
export interface ShownFlow {
  readonly flow: FlowEntry
  /** The definition as its caller wrote it: JSON text of at most a megabyte. */
  readonly definition: JsonText<FlowDefinition>
}

/** Reads flows for the dashboard, within one environment. gaps-2 G "Flow routes" */
export class FlowDirectory extends Context.Service<
  FlowDirectory,
  {
    /** Returns flows newest first, after `before` when given. */
    list(environment: Place, before: string | undefined, count: number): Effect.Effect<ReadonlyArray<FlowEntry>>
    find(environment: Place, id: string): Effect.Effect<ShownFlow | undefined>
  }
>()("@carteiro/runtime/flows/flow/FlowDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(FlowRepo, (repo) =>
      FlowDirectory.of({
        list: ({ id, kind }, before, count) =>
          Effect.map(repo.list(id, before, count), (rows) => rows.map((row) => readFlowEntry(row, kind))),
        find: Effect.fnUntraced(function* ({ id: environmentId, kind }, id) {
          const row = parseId("flw", id) ? yield* repo.find(environmentId, id) : undefined
          return row && { flow: readFlowEntry(row, kind), definition: row.flow_json }
        })
      })
    )
  )
}

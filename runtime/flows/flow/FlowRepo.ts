import { many, one } from "@carteiro/tables/Read.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type FlowDetail, type FlowRow, flowColumns, flowDetailColumns } from "./FlowState.ts"
import { changeFlow, deleteFlow, deprecateFlow, discardFlow, insertFlow, publishFlow } from "./FlowWrites.ts"

/** The members of a flow that a caller may set; absent ones do not change. */
export type FlowChange = { readonly [K in "name" | "categories" | "flow_json"]?: FlowDetail[K] | undefined }

/** Rows of `flows`; every tenant read stays within one environment. */
export class FlowRepo extends Context.Service<
  FlowRepo,
  {
    find(environmentId: string, id: string): Effect.Effect<FlowDetail | undefined>
    /** Returns flows newest first, after `before` when given, without definitions. */
    list(environmentId: string, before: string | undefined, count: number): Effect.Effect<ReadonlyArray<FlowRow>>
    insert(environmentId: string, flow: FlowDetail): Row
    /**
     * This write and the following ones change nothing when the flow is in another state by then; otherwise they return
     * its key.
     */
    change(environmentId: string, id: string, change: FlowChange, at: number): Row
    /** Publishes a flow at once under that id; without an id the provider is called. */
    publish(environmentId: string, id: string, providerFlowId: string | undefined, at: number): Row
    /** Deprecates a flow, and tells a provider that knows it. */
    deprecate(environmentId: string, id: string, tellsProvider: boolean, at: number): Row
    /** Deletes a draft that no provider knows. */
    delete(environmentId: string, id: string): Row
    /** Hides a draft until its provider has deleted it. */
    discard(environmentId: string, id: string, at: number): Row
  }
>()("@carteiro/runtime/flows/flow/FlowRepo") {
  static readonly layer = Layer.effect(
    FlowRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const detail = sql.literal(flowDetailColumns.list)
      const row = sql.literal(flowColumns.list)
      return FlowRepo.of({
        find: (environmentId, id) =>
          one(sql<FlowDetail>`select ${detail} from flows
            where environment_id = ${environmentId} and id = ${id} and deleted_at is null`),
        list: (environmentId, before, count) =>
          many(sql<FlowRow>`select ${row} from flows
            where environment_id = ${environmentId} and id < ${before ?? "~"} and deleted_at is null
            order by id desc limit ${count}`),
        insert: (environment_id, { id, name, status, categories, flow_json, created_at, updated_at }) =>
          insertFlow.row({ environment_id, id, name, status, categories, flow_json, created_at, updated_at }),
        change: (environment_id, id, { name, categories, flow_json }, updated_at) =>
          changeFlow.row({
            environment_id,
            id,
            name: name ?? null,
            categories: categories ?? null,
            flow_json: flow_json ?? null,
            updated_at
          }),
        publish: (environment_id, id, provider_flow_id = undefined, updated_at) =>
          publishFlow.row({ environment_id, id, provider_flow_id: provider_flow_id ?? null, updated_at }),
        deprecate: (environment_id, id, tells_provider, updated_at) =>
          deprecateFlow.row({ environment_id, id, tells_provider, updated_at }),
        delete: (environment_id, id) => deleteFlow.row({ environment_id, id }),
        discard: (environment_id, id, updated_at) => discardFlow.row({ environment_id, id, updated_at })
      })
    })
  )
}

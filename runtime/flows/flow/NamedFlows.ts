import { parseId } from "@carteiro/owners/Ids.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { knownFlowColumns } from "./FlowTables.ts"
import { type FlowReference, isOurFlow, type KnownFlow } from "./NamedFlow.ts"

/** Finds flows for sends and for customers' answers, always within one environment. */
export class NamedFlows extends Context.Service<
  NamedFlows,
  {
    /**
     * Returns the flows that these references name, in one statement for all of them, for `resolveFlow`: by our id, by
     * the provider's, or by name (the flow published last). gaps-2 G "Flow named in a send"
     */
    find(
      environmentId: string,
      references: ReadonlyArray<FlowReference>
    ): Effect.Effect<(reference: FlowReference) => KnownFlow | undefined>
    /** Returns a flow in any state, as `flow.completed` reports it. M-EVT-08 */
    get(environmentId: string, id: string): Effect.Effect<KnownFlow | undefined>
  }
>()("@carteiro/runtime/flows/flow/NamedFlows") {
  static readonly layer = Layer.effect(
    NamedFlows,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const known = sql.literal(knownFlowColumns.list)
      const texts = (values: ReadonlyArray<string>) => arrayParameter("text", [...new Set(values)])
      return NamedFlows.of({
        find: Effect.fnUntraced(function* (environmentId, references) {
          const ids = references.flatMap(({ flow_id }) => (isText(flow_id) ? [flow_id] : []))
          const names = references.flatMap(({ flow_name }) => (isText(flow_name) ? [flow_name] : []))
          const own = ids.filter((id) => parseId("flw", id))
          const providers = ids.filter((id) => !isOurFlow(id))
          if (own.length + providers.length + names.length === 0) return () => undefined
          // A later row of a key replaces an earlier one: of several flows with one name the one published last counts,
          // and any of those with equal instants.
          const rows = yield* many(sql<KnownFlow & { readonly way: "id" | "provider" | "name" }>`
            (select 'id' as way, ${known} from flows
              where environment_id = ${environmentId} and id = any(${texts(own)}) and deleted_at is null)
            union all
            (select 'provider' as way, ${known} from flows
              where environment_id = ${environmentId} and provider_flow_id = any(${texts(providers)}))
            union all
            (select 'name' as way, ${known} from flows
              where environment_id = ${environmentId} and name = any(${texts(names)}) and status = 'published'
              order by published_at)`)
          const found = new Map(rows.map((row) => [keyOf(row), row]))
          return ({ flow_id, flow_name }) =>
            flow_id == null
              ? found.get(`name/${flow_name}`)
              : found.get(isOurFlow(flow_id) ? `id/${flow_id}` : `provider/${flow_id}`)
        }),
        get: (environmentId, id) =>
          one(sql<KnownFlow>`select ${known} from flows where environment_id = ${environmentId} and id = ${id}`)
      })
    })
  )
}

// PostgreSQL accepts no NUL in a text, so no flow has such a name.
const isText = (value: string | null | undefined): value is string => value != null && !value.includes("\u0000")

const keyOf = ({ id, name, provider_flow_id, way }: KnownFlow & { readonly way: string }): string =>
  `${way}/${way === "id" ? id : way === "name" ? name : provider_flow_id}`

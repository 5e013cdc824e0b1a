import { one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Facts about a caller that responses may show and admission does not read. */
export interface CallerFacts {
  readonly key_name: string
  readonly webhook_endpoints: number
}

/** Reads the name of a calling key and the counts of its environment, in one read. gaps-2 J "Quickstart content" */
export class CallerReads extends Context.Service<
  CallerReads,
  { find(environmentId: string, apiKeyId: string): Effect.Effect<CallerFacts | undefined> }
>()("@carteiro/runtime/access/tenancy/CallerReads") {
  static readonly layer = Layer.effect(
    CallerReads,
    Effect.map(SqlClient.SqlClient, (sql) =>
      CallerReads.of({
        find: (environmentId, apiKeyId) =>
          one(sql<CallerFacts>`select k.name as key_name, c.webhook_endpoints
            from api_keys k join environment_counters c on c.environment_id = k.environment_id
            where k.environment_id = ${environmentId} and k.id = ${apiKeyId}`)
      })
    )
  )
}

import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { arrayParameter } from "../../platform/sql/Parameters.ts"
import { many } from "../../platform/sql/Read.ts"

/** A message that a customer's message is about. */
export interface ReferredMessage {
  readonly id: string
  /** The flow it opened; null where it opened none, and for one that only the provider knows. */
  readonly flow_id: string | null
  readonly flow_token: string | null
}

/** The token of an answered flow, and who answered it. */
export interface AnsweredToken {
  readonly flow_token: string
  readonly customer_key: string
}

/** Messages of one number that customers refer to: by the provider's id, or by the token of the flow they opened. */
export class ReferredRepo extends Context.Service<
  ReferredRepo,
  {
    find(
      place: { readonly environment_id: string; readonly id: string },
      providerIds: ReadonlyArray<string>,
      tokens: ReadonlyArray<AnsweredToken>
    ): Effect.Effect<{
      readonly byProviderId: ReadonlyMap<string, ReferredMessage>
      /** The newest send of each token to that customer. */
      readonly byToken: (token: AnsweredToken) => ReferredMessage | undefined
    }>
  }
>()("@carteiro/runtime/messages/receive/ReferredRepo") {
  static readonly layer = Layer.effect(
    ReferredRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      ReferredRepo.of({
        find: ({ environment_id, id }, providerIds, tokens) =>
          Effect.map(
            many(
              sql.unsafe<ReferredRow>(referredSql, [
                environment_id,
                id,
                arrayParameter("text", providerIds),
                arrayParameter(
                  "text",
                  tokens.map((token) => token.flow_token)
                ),
                arrayParameter(
                  "text",
                  tokens.map((token) => token.customer_key)
                )
              ])
            ),
            (rows) => {
              const found = new Map(rows.map((row) => [`${row.way} ${row.name}`, row]))
              const providers = providerIds.flatMap((name) => {
                const row = found.get(`provider ${name}`)
                return row === undefined ? [] : [[name, row] as const]
              })
              return { byProviderId: new Map(providers), byToken: (token) => found.get(`token ${nameOf(token)}`) }
            }
          )
      })
    )
  )
}

const nameOf = ({ customer_key, flow_token }: AnsweredToken): string => `${customer_key} ${flow_token}`

interface ReferredRow extends ReferredMessage {
  readonly way: "provider" | "token"
  readonly name: string
}

// Each key is looked up by its index whatever the planner believes about the table's size: hence `lateral … limit 1`.
const referredSql = `select 'provider' as way, k.id as name, m.id, m.flow_id, m.flow_token
  from unnest($3::text[]) as k(id) cross join lateral (select * from messages m where m.provider_message_id = k.id
    and m.environment_id = $1 and m.business_id = $2 order by m.id desc limit 1) m
  union all
  select 'token', k.customer_key || ' ' || k.token, m.id, m.flow_id, m.flow_token
  from unnest($4::text[], $5::text[]) as k(token, customer_key) cross join lateral (select * from messages m
    where m.flow_token = k.token and m.environment_id = $1 and m.customer_key = k.customer_key and m.business_id = $2
    order by m.id desc limit 1) m`

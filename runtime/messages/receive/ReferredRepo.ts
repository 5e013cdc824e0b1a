import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** A message to which a customer's message refers. */
export interface ReferredMessage {
  readonly id: string
  /** The flow that it opened; null when it opened none, and for one that only the provider knows. */
  readonly flow_id: string | null
  readonly flow_token: string | null
}

/** The token of a flow that a customer completed, and the key of that customer. */
export interface AnsweredToken {
  readonly flow_token: string
  readonly customer_key: string
}

/**
 * Finds messages of one number to which customers refer: by the provider's id or ours, or by the token of the flow that
 * they opened.
 */
export class ReferredRepo extends Context.Service<
  ReferredRepo,
  {
    find(
      number: { readonly environment_id: string; readonly id: string },
      ids: { readonly provider: ReadonlyArray<string>; readonly ours: ReadonlyArray<string> },
      tokens: ReadonlyArray<AnsweredToken>
    ): Effect.Effect<{
      readonly byProviderId: ReadonlyMap<string, ReferredMessage>
      readonly byId: ReadonlyMap<string, ReferredMessage>
      /** Returns the newest send of a token to a customer. */
      readonly byToken: (token: AnsweredToken) => ReferredMessage | undefined
    }>
  }
>()("@carteiro/runtime/messages/receive/ReferredRepo") {
  static readonly layer = Layer.effect(
    ReferredRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      ReferredRepo.of({
        find: ({ environment_id, id }, { ours, provider }, tokens) =>
          Effect.map(
            many(
              sql.unsafe<ReferredRow>(referredSql, [
                environment_id,
                id,
                arrayParameter("text", provider),
                arrayParameter(
                  "text",
                  tokens.map((token) => token.flow_token)
                ),
                arrayParameter(
                  "text",
                  tokens.map((token) => token.customer_key)
                ),
                arrayParameter("text", ours)
              ])
            ),
            (rows) => {
              const byName = new Map(rows.map((row) => [`${row.way} ${row.name}`, row]))
              const named = (way: ReferredRow["way"], names: ReadonlyArray<string>) =>
                new Map(
                  names.flatMap((name) => {
                    const row = byName.get(`${way} ${name}`)
                    return row === undefined ? [] : [[name, row] as const]
                  })
                )
              return {
                byProviderId: named("provider", provider),
                byId: named("message", ours),
                byToken: (token) => byName.get(`token ${nameOf(token)}`)
              }
            }
          )
      })
    )
  )
}

const nameOf = ({ customer_key, flow_token }: AnsweredToken): string => `${customer_key} ${flow_token}`

interface ReferredRow extends ReferredMessage {
  readonly way: "provider" | "message" | "token"
  readonly name: string
}

// `lateral … limit 1` makes the planner look up each key by its index, whatever table size it estimates.
const referredSql = `select 'provider' as way, k.id as name, m.id, m.flow_id, m.flow_token
  from unnest($3::text[]) as k(id) cross join lateral (select * from messages m where m.provider_message_id = k.id
    and m.environment_id = $1 and m.business_id = $2 order by m.id desc limit 1) m
  union all
  select 'message', m.id, m.id, m.flow_id, m.flow_token from messages m
    where m.environment_id = $1 and m.id = any ($6) and m.business_id = $2
  union all
  select 'token', k.customer_key || ' ' || k.token, m.id, m.flow_id, m.flow_token
  from unnest($4::text[], $5::text[]) as k(token, customer_key) cross join lateral (select * from messages m
    where m.flow_token = k.token and m.environment_id = $1 and m.customer_key = k.customer_key and m.business_id = $2
    order by m.id desc limit 1) m`

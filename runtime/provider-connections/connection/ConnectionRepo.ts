import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { type JsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountCapability, ConnectionFacts } from "./ConnectionChoice.ts"
import { openCredential } from "./Credentials.ts"

/** A number and the connection that covers it; the credential is decrypted. */
export interface NumberConnection {
  readonly upstream_phone_number_id: string | null
  readonly biz_account_id: string
  /** Undefined when no live connection covers the number's account. */
  readonly connection:
    | (ConnectionFacts & { readonly id: string; readonly token: Redacted.Redacted | undefined })
    | undefined
}

/** A connected account of an environment. */
export interface LiveAccount {
  readonly id: string
  readonly biz_account_id: string
  readonly token: Redacted.Redacted
  /** The platform's id of a number of the account that is active here; null when there is none. */
  readonly upstream_phone_number_id: string | null
}

/** A number whose connection its owner requests. */
interface AskedNumber {
  readonly environment_id: string
  readonly id: string
}

/** Rows of `provider_connections`, always within one environment. */
export class ConnectionRepo extends Context.Service<
  ConnectionRepo,
  {
    /**
     * Returns the live upstream connection that covers a number's account. Concurrent requests of many numbers are read
     * in one statement.
     */
    ofNumber(environmentId: string, numberId: string): Effect.Effect<NumberConnection | undefined>
    /** Returns the connected chat account of an environment. */
    connectedAccount(environmentId: string): Effect.Effect<LiveAccount | undefined>
    /** Returns the live upstream chat connection, also when it may not be used for sends. */
    liveId(environmentId: string): Effect.Effect<string | undefined>
  }
>()("@carteiro/runtime/provider-connections/connection/ConnectionRepo") {
  static readonly layer = Layer.effect(
    ConnectionRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const open = (row: SealedRow) => openCredential(secrets, row, row.credential)
      const ofNumber = yield* readTogether((asks: ReadonlyArray<AskedNumber>) => {
        const texts = (name: keyof AskedNumber) =>
          arrayParameter(
            "text",
            asks.map((ask) => ask[name])
          )
        return Effect.map(many(sql.unsafe<NumberRow>(ofNumbersSql, [texts("environment_id"), texts("id")])), (rows) => {
          const found = new Map(rows.map((row) => [row.ask, row]))
          return asks.map((_, n) => {
            const row = found.get(n + 1)
            return row === undefined ? undefined : connectionOf(row, open)
          })
        })
      })
      return ConnectionRepo.of({
        ofNumber: (environment_id, id) => ofNumber({ environment_id, id }),
        connectedAccount: (environmentId) =>
          Effect.map(
            one(sql<SealedRow>`select c.environment_id, c.id, c.credential, c.biz_account_id,
                (select n.upstream_phone_number_id from phone_numbers n where n.environment_id = c.environment_id
                  and n.biz_account_id = c.biz_account_id and n.status = 'active'
                  and n.upstream_phone_number_id is not null order by n.id limit 1) as upstream_phone_number_id
              from provider_connections c
              where c.environment_id = ${environmentId} and c.provider = 'upstream' and c.channel = 'chatapp'
                and c.status = 'connected' and c.biz_account_id is not null`),
            (row) => {
              const token = row === undefined ? undefined : open(row)
              if (!row?.biz_account_id || !token) return undefined
              const { biz_account_id, id, upstream_phone_number_id = null } = row
              return { id, biz_account_id, token, upstream_phone_number_id }
            }
          ),
        liveId: (environmentId) =>
          Effect.map(
            one(sql<{ readonly id: string }>`select id from provider_connections
              where environment_id = ${environmentId} and provider = 'upstream' and channel = 'chatapp'
                and status in ('connected', 'suspended')`),
            (row) => row?.id
          )
      })
    })
  )
}

// `lateral … limit 1` makes the planner look up each number and each connection by its index, whatever sizes it
// estimates.
const ofNumbersSql = `select k.ask::int4 as ask, n.upstream_phone_number_id, n.biz_account_id as number_account, c.environment_id,
    c.id, c.status, c.token_refused_at is not null as token_refused, c.credential, c.biz_account_send_capabilities
  from unnest($1::text[], $2::text[]) with ordinality as k(environment_id, number_id, ask)
  cross join lateral (select * from phone_numbers n
    where n.environment_id = k.environment_id and n.id = k.number_id limit 1) n
  left join lateral (select * from provider_connections c where c.environment_id = n.environment_id
    and c.provider = 'upstream' and c.channel = 'chatapp' and c.status in ('connected', 'suspended')
    and c.biz_account_id = n.biz_account_id limit 1) c on true`

const connectionOf = (row: NumberRow, open: (row: SealedRow) => Redacted.Redacted | undefined): NumberConnection => ({
  upstream_phone_number_id: row.upstream_phone_number_id,
  biz_account_id: row.number_account ?? "",
  connection:
    row.id === null
      ? undefined
      : {
          id: row.id,
          status: row.status,
          token_refused: row.token_refused,
          capabilities: readJson(row.biz_account_send_capabilities),
          token: open(row)
        }
})

interface SealedRow {
  readonly environment_id: string
  readonly id: string
  readonly credential: Uint8Array | null
  readonly biz_account_id?: string | null
  readonly upstream_phone_number_id?: string | null
}

interface NumberRow extends SealedRow {
  /** The position among the requested numbers, from 1. */
  readonly ask: number
  readonly upstream_phone_number_id: string | null
  readonly number_account: string | null
  readonly status: string
  readonly token_refused: boolean
  readonly biz_account_send_capabilities: JsonText<ReadonlyArray<AccountCapability>>
}

import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { openCredential } from "./Credentials.ts"

/** A production number of an account of the chat platform. */
export interface InstallationNumber {
  readonly id: string
  readonly phone: string
  readonly upstream_phone_number_id: string
  readonly registration_state: string | null
}

/** An account of the chat platform that an environment has connected, with the credential that reaches it. */
export interface InstallationAccount {
  readonly environment_id: string
  readonly id: string
  readonly status: "pending" | "connected" | "suspended"
  readonly biz_account_id: string | null
  /** Undefined when there is none, or when the master key does not open it. */
  readonly token: Redacted.Redacted | undefined
  readonly numbers: ReadonlyArray<InstallationNumber>
}

/** The most numbers of one account that are returned. */
const mostNumbers = 20

/** Reads the chat platform's accounts of all tenants, for the operator's look at an installation. Writes nothing. */
export class InstallationAccounts extends Context.Service<
  InstallationAccounts,
  {
    /** Returns at most `count` connected accounts of production, newest first, or those of one account's id. */
    newest(count: number, bizAccountId?: string): Effect.Effect<ReadonlyArray<InstallationAccount>>
  }
>()("@carteiro/runtime/provider-connections/connection/InstallationAccounts") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const numbersOf = (environmentId: string, bizAccountId: string) =>
        many(sql<InstallationNumber>`select id, phone, upstream_phone_number_id, registration_state from phone_numbers
          where environment_id = ${environmentId} and biz_account_id = ${bizAccountId} and status = 'active'
            and environment = 'production' and upstream_phone_number_id is not null
          order by id limit ${mostNumbers}::int4`)
      return InstallationAccounts.of({
        newest: Effect.fnUntraced(function* (count, bizAccountId) {
          const only = bizAccountId === undefined ? sql`true` : sql`biz_account_id = ${bizAccountId}`
          const rows = yield* many(sql<ConnectionRow>`select environment_id, id, status, biz_account_id, credential
            from provider_connections where provider = 'upstream' and channel = 'chatapp' and environment = 'production'
              and status in ('pending', 'connected', 'suspended') and ${only} order by id desc limit ${count}::int4`)
          return yield* Effect.forEach(rows, ({ credential, ...row }) =>
            Effect.map(
              row.biz_account_id === null ? Effect.succeed([]) : numbersOf(row.environment_id, row.biz_account_id),
              (numbers): InstallationAccount => ({ ...row, token: openCredential(secrets, row, credential), numbers })
            )
          )
        })
      })
    })
  )
}

type ConnectionRow = Omit<InstallationAccount, "numbers" | "token"> & { readonly credential: Uint8Array | null }

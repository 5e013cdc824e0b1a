import type { SpeechVendor } from "@carteiro/provider/SpeechProvider.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { one } from "@carteiro/tables/Read.ts"
import { insertInto, rowOf } from "@carteiro/tables/TableWrite.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { speechCredentialsTable } from "./SpeechTables.ts"

/** The keys of an environment at speech vendors. Boot contract "Settings", gaps-2 L "Setup session routes" */
export class SpeechCredentials extends Context.Service<
  SpeechCredentials,
  {
    /** Returns the key in plain text; undefined when the environment has none. */
    find(environmentId: string, vendor: SpeechVendor): Effect.Effect<string | undefined>
    has(environmentId: string, vendor: SpeechVendor): Effect.Effect<boolean>
    /** Stores a key, which replaces an earlier one; `now` in epoch milliseconds. */
    keep(environmentId: string, vendor: SpeechVendor, key: string, now: number): Row
  }
>()("@carteiro/runtime/media/speech/SpeechCredentials") {
  static readonly layer = Layer.effect(
    SpeechCredentials,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const read = (environmentId: string, vendor: SpeechVendor) =>
        one(sql<{ readonly api_key: Uint8Array }>`select api_key from speech_credentials
          where environment_id = ${environmentId} and provider = ${vendor}`)
      return SpeechCredentials.of({
        find: (environmentId, vendor) =>
          Effect.map(
            read(environmentId, vendor),
            (row) => row && secrets.open("speech_key", row.api_key, boundTo(environmentId, vendor))
          ),
        has: (environmentId, vendor) => Effect.map(read(environmentId, vendor), (row) => row !== undefined),
        keep: (environment_id, provider, key, now) =>
          keepWrite.row({
            environment_id,
            provider,
            api_key: secrets.seal("speech_key", key, boundTo(environment_id, provider)),
            created_at: now,
            updated_at: now
          })
      })
    })
  )
}

const boundTo = (environmentId: string, vendor: SpeechVendor): string => `${environmentId}/${vendor}`

const keepWrite = insertInto(speechCredentialsTable, {
  columns: ["environment_id", "provider", "api_key", "created_at", "updated_at"],
  conflict: { on: ["environment_id", "provider"], update: ["api_key", "updated_at"] },
  target: rowOf("speech_credentials", "environment_id", "provider")
})

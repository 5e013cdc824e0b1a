import { openResponse, sealBody } from "@carteiro/owners/Idempotency.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { arrayParameter } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasedSubject, Eraser } from "./Erasers.ts"

/** A response of any room. */
const anyJson = jsonCodec<unknown>()

interface StoredRow {
  readonly key_hash: string
  readonly response_status: number | null
  readonly response_body: Uint8Array | null
}

/**
 * Erases a subject from stored responses: they are decrypted, redacted by the rooms that made them, and encrypted
 * again, so that a replay is as before with the erased members null. gaps-2 I "Erasure"
 */
export const storedResponses = (
  rooms: ReadonlyArray<Eraser>
): Effect.Effect<Eraser, never, SqlClient.SqlClient | Secrets> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets

    const redacted = (body: string, erased: ErasedSubject): string => {
      const before = anyJson.read(body)
      const after = rooms.reduce((value, { redact }) => (redact === undefined ? value : redact(value, erased)), before)
      return after === before ? body : anyJson.write(after)
    }

    const clearOne = (erased: ErasedSubject, row: StoredRow) => {
      const { environment_id } = erased
      const stored = openResponse(secrets, environment_id, row)
      if (stored === undefined) return Effect.void
      const body = redacted(stored.body, erased)
      if (body === stored.body) return Effect.void
      return many(sql`update idempotency_records set response_body = ${sealBody(secrets, environment_id, row.key_hash, body)}
        where environment_id = ${environment_id} and key_hash = ${row.key_hash}
          and response_body = ${row.response_body}`)
    }

    return {
      clear: Effect.fnUntraced(function* (erased) {
        const subjects = arrayParameter("text", erased.hashes)
        const rows = yield* many(
          sql.unsafe<StoredRow>(
            `select i.key_hash, i.response_status, i.response_body from idempotency_records i
              where i.environment_id = $1 and i.response_body is not null and i.key_hash in (
                select s.key_hash from idempotency_records s where s.subject = any($2::text[]) and s.environment_id = $1
                union all
                select s.key_hash from idempotency_subjects s where s.subject = any($2::text[]) and s.environment_id = $1
              )`,
            [erased.environment_id, subjects]
          )
        )
        yield* Effect.forEach(rows, (row) => clearOne(erased, row), { discard: true })
      })
    }
  })

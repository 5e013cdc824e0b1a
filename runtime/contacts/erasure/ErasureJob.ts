import { subjectHashes } from "@carteiro/owners/Subject.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import type { Job } from "@carteiro/tables/Retention.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type ErasedSubject, Erasers } from "../../erasure/Erasers.ts"
import { erasureColumns } from "./ContactErasureTables.ts"

const everyMs = 5000
const atOnce = 100

/**
 * The pause before the second and last pass over an erasure, in milliseconds; that pass erases data that were in use
 * during the first.
 */
const againMs = 15 * 60_000
const mostPasses = 2

/** Completes erasures, room by room. gaps-2 I "Erasure" */
export const erasureJob: Job = {
  name: "contacts.erasures",
  everyMs,
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const erasers = yield* Erasers
    while (true) {
      const now = yield* Clock.currentTimeMillis
      const due = yield* many(sql<SelectedRow<typeof erasureColumns>>`select ${sql.literal(erasureColumns.list)}
        from contact_erasures where due_at <= ${instant(now)} order by due_at limit ${atOnce}`)
      for (const erasure of due) {
        const { environment_id, erased_at, id, passes } = erasure
        const subject = { type: erasure.customer_type, key: erasure.match_key }
        const erased: ErasedSubject = {
          environment_id,
          id,
          subject,
          hashes: subjectHashes(secrets, environment_id, subject),
          erased_at
        }
        yield* Effect.forEach(erasers, ({ clear }) => clear?.(erased) ?? Effect.void, { discard: true })
        yield* many(
          // Two runs may overlap: each counts the pass that it made, and neither leaves an erasure that never ends.
          passes + 1 >= mostPasses
            ? sql`delete from contact_erasures where environment_id = ${environment_id} and id = ${id}
                and match_key = ${subject.key}`
            : sql`update contact_erasures set passes = ${passes + 1}, due_at = ${instant(now + againMs)}
                where environment_id = ${environment_id} and id = ${id} and match_key = ${subject.key}`
        )
      }
      if (due.length < atOnce) return
    }
  })
}

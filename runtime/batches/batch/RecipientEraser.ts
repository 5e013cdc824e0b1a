import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Eraser } from "../../erasure/Erasers.ts"

/**
 * Takes an erased customer out of the recipients of batches made until then: a recipient that was not fed yet is refused, and of the
 * others only what became of them stays. gaps-2 I "Erasure"
 */
export const recipientEraser = Effect.map(
  SqlClient.SqlClient,
  (sql): Eraser => ({
    move: ({ environment_id, from, to }) =>
      Effect.asVoid(
        many(sql`update batch_recipients set customer_key = ${to}
          where customer_key = ${from} and environment_id = ${environment_id}`)
      ),
    clear: ({ environment_id, erased_at, subject }) =>
      subject.type === "phone_e164"
        ? Effect.asVoid(
            many(sql`update batch_recipients set phone = null, customer_key = null, variables = null, metadata = null
              where customer_key = ${subject.key} and environment_id = ${environment_id}
                and batch_id < ${lowestIdAt("bat", erased_at + 1)}`)
          )
        : Effect.void
  })
)

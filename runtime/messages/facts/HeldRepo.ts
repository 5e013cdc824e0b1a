import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { lentSlot } from "../guards/LentSlotSql.ts"
import { serviceWindowMs } from "../message/ServiceWindow.ts"
import { dueColumns, dueJoins } from "./DueRepo.ts"
import type { DueMessage } from "./SendingFacts.ts"

/** A message that waits for a slot, and whether it still needs one. */
export interface HeldMessage extends DueMessage {
  readonly needs_slot: boolean
}

/** Reads messages that numbers hold. */
export class HeldRepo extends Context.Service<
  HeldRepo,
  {
    /**
     * Returns held messages in the order of their release, at most `limit`, and besides them those that no longer need
     * a slot: their recipient wrote within the window, or has a live slot of the number or its portfolio.
     */
    readHeld(
      number: { readonly environment_id: string; readonly id: string },
      now: number,
      limit: number
    ): Effect.Effect<ReadonlyArray<HeldMessage>>
    /** Returns numbers whose held messages are due, for the sweeper; see `DueOwners`. */
    duePacing: DueOwners["due"]
  }
>()("@carteiro/runtime/messages/facts/HeldRepo") {
  static readonly layer = Layer.effect(
    HeldRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      HeldRepo.of({
        readHeld: (number, now, limit) =>
          many(
            sql.unsafe<HeldMessage>(heldSql, [
              number.environment_id,
              number.id,
              instant(now),
              instant(now - serviceWindowMs),
              limit
            ])
          ),
        duePacing: (now, after, limit) =>
          Effect.map(
            many(
              sql<{ readonly id: string; readonly due: boolean }>`select p.business_id as id,
                p.due_at <= ${instant(now)} as due from number_pacing p
                where p.due_at is not null and p.business_id > ${after} order by p.business_id limit ${limit}`
            ),
            (rows) => ({
              ids: rows.filter(({ due }) => due).map(({ id }) => id),
              next: rows.length < limit ? undefined : rows.at(-1)?.id
            })
          )
      })
    )
  )
}

const heldOf = `from messages m where m.business_id = $2 and m.environment_id = $1 and m.status = 'queued'
  and m.status_reason = 'messaging_limit_pacing' and m.due_at is null`

// The end is compared outside the look-up, because the planner would use the index of all live slots for a range.
const hasSlot = `coalesce((select s.expires_at from allowance_slots s where s.environment_id = m.environment_id
  and s.business_id = m.business_id and s.customer_key = m.customer_key) > $3, false)`
const wasHeard = `coalesce((select v.latest_inbound_at from service_windows v
  where v.environment_id = m.environment_id and v.channel = m.channel and v.business_id = m.business_id
  and v.customer_key = m.customer_key) > $4, false)`

// A recipient with a slot of another number of the portfolio needs none either.
const isLent = `exists (${lentSlot({
  environment_id: "m.environment_id",
  business_id: "m.business_id",
  portfolio_id: "(select n.portfolio_id from phone_numbers n where n.environment_id = $1 and n.id = $2)",
  customer_key: "m.customer_key",
  at: "$3"
})})`
const needsNone = `(${hasSlot} or ${wasHeard} or ${isLent})`

const heldSql = `with picked as materialized (
    (select m.id ${heldOf} order by m.created_at, m.id limit $5::int4)
    union (select m.id ${heldOf} and ${needsNone} order by m.created_at, m.id limit $5::int4)
  )
  select ${dueColumns}, not ${needsNone} as needs_slot
  from picked p join messages m on m.environment_id = $1 and m.id = p.id ${dueJoins}
  order by m.created_at, m.id`

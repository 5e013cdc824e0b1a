import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { serviceWindowMs } from "../message/ServiceWindow.ts"
import { type AllowedNumber, allowanceOf, estimatePacing, type PacingEstimate } from "./Allowance.ts"
import type { StoredSlots } from "./SlotLedger.ts"

/** Reads slots and holds of numbers, for their owners and other rooms. */
export class PacingRepo extends Context.Service<
  PacingRepo,
  {
    /** Returns the slots, holds and releases of a number for its owner. */
    readSlots(number: Place, now: number): Effect.Effect<StoredSlots>
    /** Returns the held and released messages of a number, some of which others may have cancelled. */
    readHeld(number: Place): Effect.Effect<Pick<StoredSlots, "held" | "released">>
    /** Returns the new recipients of the last 24 hours, by number. M-PHN-15 */
    countRecipients(
      environmentId: string,
      numberIds: ReadonlyArray<string>,
      now: number
    ): Effect.Effect<ReadonlyMap<string, number>>
    /**
     * Returns `pacing` of a new batch to these recipients, by their match keys; null when there is no estimate.
     * M-BAT-03..07
     */
    estimateBatch(number: Place, keys: ReadonlyArray<string>, now: number): Effect.Effect<PacingEstimate | null>
  }
>()("@carteiro/runtime/messages/pacing/PacingRepo") {
  static readonly layer = Layer.effect(
    PacingRepo,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const first = <A extends object>(text: string, parameters: ReadonlyArray<unknown>) =>
        Effect.map(many(sql.unsafe<A>(text, parameters)), ([row]) => row)
      return PacingRepo.of({
        readSlots: (number, now) =>
          Effect.map(first<SlotsRow>(slotsSql, [number.environment_id, number.id, instant(now)]), (row) => ({
            expiries: readJsonOrNull(row?.expiries ?? null) ?? [],
            ...heldOf(row)
          })),
        readHeld: (number) => Effect.map(first<HeldRow>(heldSql, [number.environment_id, number.id]), heldOf),
        countRecipients: (environmentId, numberIds, now) =>
          Effect.map(
            many(
              sql.unsafe<{ readonly id: string; readonly used: number }>(recipientsSql, [
                environmentId,
                arrayParameter("text", numberIds),
                instant(now)
              ])
            ),
            (rows) => new Map(rows.map(({ id, used }) => [id, used]))
          ),
        estimateBatch: (number, keys, now) =>
          Effect.map(
            first<EstimateRow>(estimateSql, [
              number.environment_id,
              number.id,
              arrayParameter("text", keys),
              instant(now),
              instant(now - serviceWindowMs)
            ]),
            (row) =>
              row === undefined || row.status !== "active"
                ? null
                : estimatePacing({
                    allowance: allowanceOf(row.messaging_tier, row.quality_rating),
                    used: row.used,
                    held: row.held,
                    newRecipients: row.needing
                  })
          )
      })
    })
  )
}

/** A number within its environment. */
export interface Place {
  readonly environment_id: string
  readonly id: string
}

const isHeld = `m.business_id = $2 and m.environment_id = $1 and m.status = 'queued'
  and m.status_reason = 'messaging_limit_pacing' and m.due_at is null`
const heldColumns = `(select json_agg(json_build_array(h.customer_key, h.count))::text from (
    select m.customer_key, count(*)::int4 as count from messages m where ${isHeld} group by m.customer_key) h) as held,
  (select json_agg(json_build_array(m.id, m.customer_key))::text from messages m where m.business_id = $2
    and m.environment_id = $1 and m.due_at is not null and m.status = 'queued' and m.status_reason is null
    and m.released_at is not null and m.type = 'template') as released`
const heldSql = `select ${heldColumns}`

const slotsSql = `select ${heldColumns},
  (select json_agg((extract(epoch from s.expires_at) * 1000)::int8 order by s.expires_at)::text
    from allowance_slots s where s.business_id || '' = $2 and s.expires_at > $3 and s.environment_id = $1) as expiries`

const liveCount = (number: string, environment: string, now: string): string =>
  `(select count(*)::int4 from allowance_slots s where s.business_id || '' = ${number} and s.expires_at > ${now}
    and s.environment_id = ${environment})`

const recipientsSql = `select k.id, ${liveCount("k.id", "$1", "$3")} as used from unnest($2::text[]) as k(id)`

// Written so that ten thousand keys are looked up one by one, because a planner that takes the tables for small would
// choose a join that does not end. Ends are compared outside the look-ups, because the planner would use the index of
// all live slots for a range.
const estimateSql = `select n.status, n.messaging_tier, n.quality_rating, ${liveCount("$2", "$1", "$4")} as used,
  (select count(distinct m.customer_key)::int4 from messages m where ${isHeld}) as held,
  (select count(distinct k.key)::int4 from unnest($3::text[]) as k(key)
    where coalesce((select s.expires_at from allowance_slots s where s.environment_id = $1 and s.business_id = $2
        and s.customer_key = k.key) <= $4, true)
      and coalesce((select w.latest_inbound_at from service_windows w where w.environment_id = $1
        and w.channel = 'chatapp' and w.business_id = $2 and w.customer_key = k.key) <= $5, true)) as needing
  from phone_numbers n where n.environment_id = $1 and n.id = $2`

interface HeldRow {
  readonly held: JsonText<StoredSlots["held"]> | null
  readonly released: JsonText<StoredSlots["released"]> | null
}

interface SlotsRow extends HeldRow {
  readonly expiries: JsonText<StoredSlots["expiries"]> | null
}

interface EstimateRow extends AllowedNumber {
  readonly used: number
  readonly held: number
  readonly needing: number
}

const heldOf = (row: HeldRow | undefined): Pick<StoredSlots, "held" | "released"> => ({
  held: readJsonOrNull(row?.held ?? null) ?? [],
  released: readJsonOrNull(row?.released ?? null) ?? []
})

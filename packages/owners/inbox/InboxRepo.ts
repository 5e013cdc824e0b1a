import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import { walkOwners } from "@carteiro/tables/WalkOwners.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { lowestIdAt } from "../ids/Ids.ts"
import type { DueOwners } from "../schedule/Sweeper.ts"

import { openBody } from "./SealedBody.ts"

/** A vendor's call that is the work of an owner. */
export interface VendorWork {
  readonly webhook_id: string
  readonly vendor: string
  /** As received; null when another call of the same name was stored instead. */
  readonly body: Uint8Array | null
  /** Epoch milliseconds. */
  readonly received_at: number
  /** How often it could not be finished. */
  readonly attempts: number
}

/** Calls of vendors that wait for their owners. */
export class InboxRepo extends Context.Service<
  InboxRepo,
  {
    /** Returns work that is due for an owner, in the order in which it came. */
    due(ownerType: string, ownerId: string, now: number, limit: number): Effect.Effect<ReadonlyArray<VendorWork>>
    /** When something is due for an owner next; undefined for never. */
    nextAt(ownerType: string, ownerId: string): Effect.Effect<number | undefined>
  }
>()("@carteiro/owners/inbox/InboxRepo") {
  static readonly layer = Layer.effect(
    InboxRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const opened = (work: VendorWork): VendorWork =>
        work.body === null ? work : { ...work, body: openBody(secrets, work.webhook_id, work.body) }
      return InboxRepo.of({
        due: (ownerType, ownerId, now, limit) =>
          many(
            sql<VendorWork>`select t.webhook_id, w.vendor, w.body, w.received_at, t.attempts
            from (select * from vendor_webhook_work
              where owner_type = ${ownerType} and owner_id = ${ownerId} and due_at <= ${instant(now)}
              order by due_at, webhook_id limit ${limit}::int4) t
            left join vendor_webhooks w on w.id = t.webhook_id order by t.webhook_id`,
            opened
          ),
        nextAt: (ownerType, ownerId) =>
          Effect.map(
            one(sql<{ readonly at: number | null }>`select min(due_at) as at from vendor_webhook_work
              where owner_type = ${ownerType} and owner_id = ${ownerId} and due_at is not null`),
            (row) => row?.at ?? undefined
          )
      })
    })
  )
}

/** Owners of a type with calls due, for the sweeper. */
export const dueInboxes = (ownerType: string): DueOwners["due"] =>
  walkOwners(`select owner_id as owner, due_at from vendor_webhook_work
    where owner_type = '${ownerType}' and due_at is not null`)

/** How long a call keeps its body at least, in milliseconds; it shows customers' words. */
const clearedAfterMs = 5 * 60_000
const clearedAtOnce = 500

/**
 * Empties the bodies of calls that no owner has work with, however late that work ended; their names stay, so that a
 * repeated call is known. The index holds only the bodies that are still there. gaps-2 I "Erasure"
 */
export const inboxBodiesJob: Job = {
  name: "bodies of vendors' calls",
  everyMs: 300_000,
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const upTo = instant((yield* Clock.currentTimeMillis) - clearedAfterMs)
    while (true) {
      const cleared = yield* many(sql`update vendor_webhooks set body = ''::bytea where id = any(array(
        select w.id from vendor_webhooks w where w.received_at <= ${upTo} and w.body <> ''::bytea and not exists (
          select 1 from vendor_webhook_work t where t.webhook_id = w.id and t.due_at is not null)
        order by w.received_at limit ${clearedAtOnce} for update skip locked)) returning 1`)
      if (cleared.length < clearedAtOnce) return
    }
  })
}

/** How long the names of calls are kept, in milliseconds. */
const keptMs = 7 * 24 * 3_600_000

/** Forgets old calls, and who was to work on them: nobody tries for so long. */
export const inboxJob: Job = {
  name: "calls of vendors",
  everyMs: 3_600_000,
  run: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const upTo = (yield* Clock.currentTimeMillis) - keptMs
    yield* deleteUpTo("vendor_webhooks", "received_at", upTo)
    yield* many(sql`delete from vendor_webhook_work where webhook_id < ${lowestIdAt("vwh", upTo)}`)
  })
}

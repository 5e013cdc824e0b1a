import type { VendorWork } from "@carteiro/owners/Inbox.ts"
import type { NumberNotice, StatusNotice } from "@carteiro/provider/ChatNotices.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { deferred, finished, looksAgainAt, type WorkPlace } from "../../vendor-webhooks/VendorWork.ts"
import type { ReportedStatuses } from "./ReportedStatuses.ts"

/** A call of the provider and what of it concerns the number. */
export interface CallNotices {
  readonly work: VendorWork
  readonly notices: ReadonlyArray<NumberNotice>
}

/** The row that ends a call or has it looked at again, and what the call is about. */
interface CallEnd {
  readonly row: Row
  /** Ids of messages, the provider's of what customers wrote and ours of what was sent, and the call's own. */
  readonly about: ReadonlySet<string>
}

/** One unit of a pass, and the only thing that it changes, as `CallEnd` names it. */
interface Change {
  readonly rows: ReadonlyArray<Row>
  readonly about: string
}

export const isStatus = (notice: NumberNotice): notice is StatusNotice => notice.kind === "status"

/** Returns how a call ends: one that names a message which is not known yet is looked at again. */
export const endOfCall = (
  { notices, work }: CallNotices,
  statuses: ReportedStatuses,
  place: WorkPlace,
  now: number
): CallEnd => {
  const about = new Set([work.webhook_id])
  let isKnown = true
  for (const notice of notices) {
    const id = isStatus(notice)
      ? statuses.messageIdOf(notice)
      : notice.kind === "inbound"
        ? notice.provider_message_id
        : work.webhook_id
    if (id === undefined) isKnown = false
    else about.add(id)
  }
  const again = isKnown ? undefined : looksAgainAt(work.attempts, now)
  return { row: again === undefined ? finished(place, work) : deferred(place, work, again), about }
}

/**
 * Ends calls together with what they change. A call that changes one thing ends in its unit: both are written or neither. A call
 * that changes nothing ends in a unit of its own. One that changes several things ends `later`, once all of them are written, so
 * that it is looked at again unless they are.
 */
export const endWithChanges = <A extends Change>(changes: ReadonlyArray<A>, ends: ReadonlyArray<CallEnd>) => {
  const rows = changes.map((change) => [...change.rows])
  const alone: Array<Row> = []
  const later: Array<Row> = []
  for (const { about, row } of ends) {
    const changed = rows.filter((_, n) => about.has(changes[n]?.about ?? ""))
    const [only, ...others] = changed
    if (only === undefined) alone.push(row)
    else if (others.length === 0) only.push(row)
    else later.push(row)
  }
  const together = changes.map((change, n) => ({ ...change, rows: rows[n] ?? change.rows }))
  return { together: alone.length === 0 ? together : [...together, { rows: alone }], later }
}

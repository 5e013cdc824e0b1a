import type { NumberNotice, StatusNotice } from "@carteiro/provider/ChatNotices.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { VendorWork } from "../../vendor-webhooks/InboxRepo.ts"
import { deferred, finished, looksAgainAt, type WorkPlace } from "../../vendor-webhooks/VendorWork.ts"
import type { ReportedStatuses } from "./ReportedStatuses.ts"

/** A call of the provider and its parts about the number. */
export interface CallNotices {
  readonly work: VendorWork
  readonly notices: ReadonlyArray<NumberNotice>
}

/** The row that ends or postpones a call, and the call's subjects. */
interface CallEnd {
  readonly row: Row
  /** The ids of messages: the provider's for customers' messages, ours for sent ones; and the call's own id. */
  readonly about: ReadonlySet<string>
}

/** One unit of a pass, and the one subject that it changes, as `CallEnd` names it. */
interface Change {
  readonly rows: ReadonlyArray<Row>
  readonly about: string
}

export const isStatus = (notice: NumberNotice): notice is StatusNotice => notice.kind === "status"

/** Returns the end of a call; one that names an unknown message is retried. `waiting` are corrections of such messages. */
export const endOfCall = (
  { notices, work }: CallNotices,
  statuses: ReportedStatuses,
  workOwner: WorkPlace,
  now: number,
  waiting: ReadonlySet<string> = new Set()
): CallEnd => {
  const about = new Set([work.webhook_id])
  let isKnown = true
  for (const notice of notices) {
    const id = isStatus(notice)
      ? statuses.messageIdOf(notice)
      : notice.kind === "inbound" || notice.kind === "echo"
        ? notice.provider_message_id
        : work.webhook_id
    if (id === undefined || waiting.has(id)) isKnown = false
    if (id !== undefined) about.add(id)
  }
  const again = isKnown ? undefined : looksAgainAt(work.attempts, now)
  return { row: again === undefined ? finished(workOwner, work) : deferred(workOwner, work, again), about }
}

/**
 * Ends calls together with their changes. A call with one change ends in the unit of that change, so that both are
 * written together. A call without a change ends in a unit of its own. A call with several changes ends `later`, once
 * all of them are written, so that it is retried unless they are.
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

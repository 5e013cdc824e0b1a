import type { Row } from "@carteiro/tables/Write.ts"
import { accountOf, type NumberFacts } from "../facts/SendingFacts.ts"
import { wasReached } from "../facts/SendRetry.ts"
import { guardRows } from "../guards/GuardRows.ts"
import { slotMs } from "../pacing/Allowance.ts"
import { lendSlot, shareSlot } from "../pacing/LeaseWrites.ts"
import { giveBackSlot, useSlot } from "../pacing/PacingWrites.ts"
import type { SendProgress } from "./SendProgress.ts"

const none: ReadonlyArray<Row> = []

/**
 * Returns the rows by which a message's progress changes the slots of its number and the marketing guards; none for
 * free-form messages.
 */
export const limitRows = (
  progress: SendProgress,
  number: NumberFacts,
  business_id: string,
  now: number
): ReadonlyArray<Row> => {
  const { lent, message, slot } = progress
  if (message.type !== "template") return none
  const { environment_id } = number
  const rows: Array<Row> = []
  const place = { environment_id, business_id, customer_key: message.customer_key }
  if (slot === "opening" || slot === "reserving") rows.push(useSlot.row({ ...place, expires_at: now + slotMs }))
  if (slot === "sharing" && lent !== undefined) {
    rows.push(lendSlot.row({ ...place, business_id: lent.lender_id, at: now }), shareSlot.row({ ...place, ...lent }))
  }
  if (slot === "returning") rows.push(giveBackSlot.row(place))
  if (message.marketing_hash === null || progress.transitions.length === 0) return rows
  const { state } = progress
  const isBack = progress.refusals.refusals !== message.refusals
  rows.push(
    ...guardRows(
      {
        ...place,
        account_id: accountOf(number, business_id),
        id: message.id,
        marketing_hash: message.marketing_hash,
        from: message.status,
        status: state.status,
        error_code: state.error_code,
        provider_code: state.provider_error?.code ?? null,
        provider_spoke: state.provider_error !== null || (isBack && wasReached(progress.refusals)),
        called_at: progress.sending_since,
        refused_before: wasReached(message)
      },
      now
    )
  )
  return rows
}

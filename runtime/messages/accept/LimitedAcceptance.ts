import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { NumberFacts, NumberState } from "../facts/SendingFacts.ts"
import { claimContent } from "../guards/GuardWrites.ts"
import { needsCooldown } from "../guards/MarketingGuard.ts"
import { limitAtAccept } from "../pacing/Lease.ts"
import { paceAt } from "../pacing/PacingWrites.ts"
import { nextRelease } from "../pacing/SlotLedger.ts"
import type { AcceptItem } from "./AcceptItem.ts"
import type { TemplateLimits } from "./TemplateLimits.ts"

/** True when a template is held from its acceptance on. M-MSG-07, gaps-2 D "How pacing holds and releases" */
export const holdOnAccept = (
  limits: TemplateLimits | undefined,
  customer_key: string,
  state: NumberState,
  number: NumberFacts | undefined,
  now: number
): boolean => {
  const { slots } = state
  if (limits === undefined || slots === undefined || number === undefined || !limits.needsSlot) return false
  // A number that is not active needs no slot: the message's turn comes at once, and fails it.
  if (number.status !== "active") return false
  return slots.holdsAtAccept(customer_key, limits.slotted, limitAtAccept(state, number, now), now)
}

/** Returns the row that makes a held message due at its owner, with the due time. */
export const holdRows = (item: AcceptItem, { slots }: NumberState, owner: OwnerHandle, now: number) => {
  slots?.hold(item.customer_key)
  const due = nextRelease(slots, now, owner.stands())
  return { due, rows: [paceAt.row({ environment_id: item.environment_id, business_id: owner.id, due_at: due })] }
}

/**
 * Returns the rows that claim the content of a marketing template, in the commit that accepts it. gaps-2 C "Guard
 * evaluation order"
 */
export const claimRows = (
  item: AcceptItem,
  limits: TemplateLimits | undefined,
  business_id: string,
  now: number
): ReadonlyArray<Row> => {
  const { content_hash, guards, triedAccount } = limits ?? {}
  if (content_hash === null || content_hash === undefined) return none
  if (guards === undefined && triedAccount === undefined) return none
  const policy = guards?.facts.policy
  return [
    claimContent.row({
      environment_id: item.environment_id,
      customer_key: item.customer_key,
      content_hash,
      business_id,
      message_id: item.id,
      replaced_message_id: guards?.replaces ?? null,
      alone: policy !== undefined && needsCooldown(policy, now),
      tried_account_id: triedAccount ?? null,
      production: item.environment === "production",
      claimed_at: item.created_at
    })
  ]
}

const none: ReadonlyArray<Row> = []

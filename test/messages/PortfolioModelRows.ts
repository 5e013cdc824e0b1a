import type { DecidedRequest } from "@carteiro/runtime/messages/pacing/PortfolioRules.ts"
import type { Row } from "@carteiro/tables/Write.ts"

/** Above every allowance, as the table stores a quota that was never confirmed. */
const unconfirmed = 2_147_483_647

/** The stored lease of a number in a portfolio. */
export interface LeaseRow {
  quota: number
  allowance: number
  limit_revision: number
  cap: number | null
  needed: number
  wanted: number
  request_allowance: number
  requested_at: number | null
  due_at: number | null
  short_at: number | null
  recalled_at: number | null
  is_recalled: boolean
  left_at: number | null
}

export const emptyRow: LeaseRow = {
  quota: 0,
  allowance: unconfirmed,
  limit_revision: 0,
  cap: null,
  needed: 0,
  wanted: 0,
  request_allowance: 0,
  requested_at: null,
  due_at: null,
  short_at: null,
  recalled_at: null,
  is_recalled: false,
  left_at: null
}

/** A message that waits for a slot, or was released and is not sent yet. */
export interface Held {
  readonly id: string
  readonly key: string
}

/** Held messages as the tables give them to a ledger. */
export const pairs = (held: ReadonlyArray<Held>): ReadonlyArray<readonly [string, number]> =>
  held.map(({ key }) => [key, 1] as const)

/** Released messages as the tables give them to a ledger. */
export const released = (messages: ReadonlyArray<Held>): ReadonlyArray<readonly [string, string]> =>
  messages.map(({ id, key }) => [id, key] as const)

/** Changes a row as `requestQuota` or `returnQuota` does. */
export const writeRow = (stored: LeaseRow, { values, write }: Row): void => {
  const { needed, quota = 0, request_allowance, requested_at, wanted } = values as Readonly<Record<string, number>>
  if (write.name === "portfolio_leases.return")
    Object.assign(stored, { quota: Math.min(stored.quota, quota), is_recalled: false })
  else Object.assign(stored, { needed, wanted, request_allowance, requested_at, due_at: requested_at })
}

/** Changes a row as `decideRequest` does. */
export const writeDecision = (
  stored: LeaseRow,
  { allowance, cap, due_at, grant, is_recalled, request }: DecidedRequest,
  limit_revision: number,
  at: number
): void => {
  stored.quota = Math.max(stored.quota, grant.quota)
  if (allowance !== null) Object.assign(stored, { allowance, limit_revision })
  Object.assign(stored, { cap, short_at: grant.is_short ? at : null, left_at: null })
  if (is_recalled) Object.assign(stored, { recalled_at: at, is_recalled: true })
  if (stored.requested_at === request.requested_at) stored.due_at = due_at
}

import type { AccountNotice } from "@carteiro/provider/ChatNotices.ts"
import { formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { ProviderConnection } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import { type JsonText, jsonText } from "@carteiro/tables/StoredJson.ts"
import type { AccountCapability } from "../connection/ConnectionChoice.ts"
import type { NoticeTimes } from "../connection/ConnectionTables.ts"
import { type Departure, isDeparture } from "../connection/Remedies.ts"

type AccountReport = Extract<AccountNotice, { readonly kind: "account" }>

/**
 * The change that a report about an account makes to its connection; null leaves a member unchanged. Instants in epoch
 * milliseconds.
 */
export interface AccountChange {
  readonly status: "connected" | "suspended" | null
  readonly suspension_reason: string | null
  readonly ban_state: string | null
  readonly ban_date: number | null
  readonly policy_warning: string | null
  readonly review_status: string | null
  readonly restrictions: JsonText<ProviderConnection["restrictions"]> | null
  readonly capability: AccountCapability | null
}

/** The platform's event names for an account that may no longer send, and for one that may send again. */
const banned: ReadonlySet<string> = new Set(["DISABLE", "DISABLED"])
const lifted: ReadonlySet<string> = new Set(["REINSTATE", "REINSTATED"])

const scheduled = "SCHEDULE_FOR_DISABLE"

/** Returns why a report ends the connection, which only a new consent restores; undefined for any other. U-ACC-01 */
export const departureOf = (event: string): Departure | undefined => {
  const reason = event.toLowerCase()
  return event === event.toUpperCase() && isDeparture(reason) ? reason : undefined
}

/**
 * Returns the change that a report about an account makes. gaps-2 L "Connection transitions", "Inner connection shapes"
 */
export const accountChange = (notice: AccountReport, bizAccountId: string, observed_at: string): AccountChange => {
  const state = notice.ban?.state.toUpperCase() ?? ""
  const isBanned = banned.has(state) || notice.event === "ACCOUNT_LOCKED"
  const isLifted = lifted.has(state) || notice.event === "ACCOUNT_UNLOCKED"
  return {
    status: isBanned ? "suspended" : isLifted ? "connected" : null,
    suspension_reason: isBanned ? (banned.has(state) ? "account_banned" : "account_locked") : null,
    ban_state: notice.ban?.state ?? null,
    ban_date: notice.ban?.date ?? null,
    policy_warning: notice.violation ?? (state === scheduled ? scheduled : null),
    review_status: notice.review,
    restrictions: notice.restrictions === null ? null : jsonText(notice.restrictions.map(restrictionOf)),
    capability: notice.capability === null ? null : { biz_account_id: bizAccountId, observed_at, ...notice.capability }
  }
}

const restrictionOf = ({ expires_at, type }: { readonly type: string; readonly expires_at: number | null }) => ({
  type,
  expires_at: formatTimestampOrNull(expires_at)
})

/** What reports tell of an account, by the members of a change that belong together. */
const parts = {
  ban: ["status", "suspension_reason", "ban_state", "ban_date"],
  warning: ["policy_warning"],
  review: ["review_status"],
  restrictions: ["restrictions"],
  capability: ["capability"]
} as const satisfies Readonly<Record<Part, ReadonlyArray<keyof AccountChange>>>

type Part = keyof NoticeTimes

/**
 * Returns a change without the parts of which a newer report is known, and the instants of the newest reports after it;
 * `at` is the platform's instant. A change without an instant is taken as it comes. U-ACC-01
 */
export const inOrder = (
  change: AccountChange,
  at: number | null,
  times: NoticeTimes
): { readonly change: AccountChange; readonly times: NoticeTimes } => {
  if (at === null) return { change, times }
  let current = change
  const newest: { [P in Part]?: number } = { ...times }
  for (const [part, members] of Object.entries(parts) as ReadonlyArray<[Part, ReadonlyArray<keyof AccountChange>]>) {
    if (members.every((member) => change[member] === null)) continue
    if ((times[part] ?? 0) > at) current = { ...current, ...Object.fromEntries(members.map((name) => [name, null])) }
    else newest[part] = at
  }
  return { change: current, times: newest }
}

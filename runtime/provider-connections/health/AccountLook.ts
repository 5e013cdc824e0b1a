import type { PlatformCredentials } from "@carteiro/provider/ChatCredentials.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { type JsonText, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { Effect, type Redacted } from "effect"
import type { AccountCapability } from "../connection/ConnectionChoice.ts"
import type { WatchedConnection } from "./ConnectionHealthRepo.ts"

/** The most concurrent calls to the platform for one connection. */
const atOnce = 4

/** The platform's facts about the accounts of a connection; null for what it did not tell. */
interface ObservedAccounts {
  readonly capabilities: JsonText<ReadonlyArray<AccountCapability>> | null
  /** Results of reviews, by account. */
  readonly review: ReadonlyMap<string, string>
  /** The portfolio that owns the connection's own account. U-LIM-01 */
  readonly portfolio_id: string | null
}

/** The facts of a connection that cannot be asked about. */
export const unobserved: ObservedAccounts = { capabilities: null, review: new Map(), portfolio_id: null }

/** Reads what the accounts of a connection may send, and whose portfolio its own account is in. gaps-2 K "Health sweep" */
export const lookAtAccounts = Effect.fnUntraced(function* (
  credentials: PlatformCredentials,
  { biz_account_id, biz_account_send_capabilities }: WatchedConnection,
  token: Redacted.Redacted,
  now: number
): Effect.fn.Return<ObservedAccounts> {
  const known = readJson(biz_account_send_capabilities)
  const review = new Map<string, string>()
  const portfolios = new Map<string, string | null>()
  const look = (account: string, entry: AccountCapability | undefined) =>
    Effect.map(credentials.account({ biz_account_id: account, token }), (call): AccountCapability | undefined => {
      if (call._tag !== "Done") return entry
      const { capability, portfolio_id, review_status } = call.value
      portfolios.set(account, portfolio_id)
      if (review_status !== null) review.set(account, review_status)
      if (entry === undefined || capability === null) return entry
      return {
        biz_account_id: account,
        observed_at: formatTimestamp(now),
        send_capability: capability.send_capability,
        send_block_codes: capability.send_block_codes
      }
    })
  const capabilities = yield* Effect.forEach(known, (entry) => look(entry.biz_account_id, entry), {
    concurrency: atOnce
  })
  // A connection's own account need not be among those whose capability is watched.
  if (biz_account_id !== null && !known.some((entry) => entry.biz_account_id === biz_account_id)) {
    yield* look(biz_account_id, undefined)
  }
  return {
    capabilities: jsonText(capabilities.filter((entry) => entry !== undefined)),
    review,
    portfolio_id: portfolios.get(biz_account_id ?? "") ?? null
  }
})

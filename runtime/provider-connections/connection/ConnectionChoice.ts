import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
/** One business account that a credential reaches, as last observed. gaps-2 L "Inner connection shapes" */
export interface AccountCapability {
  readonly biz_account_id: string
  /** Null until the platform reported it reliably. M-CONN-09 */
  readonly send_capability: "available" | "blocked" | null
  readonly send_block_codes: ReadonlyArray<string> | null
  /** RFC 3339. */
  readonly observed_at: string | null
}

/** The facts that decide whether a connection may be used. */
export interface ConnectionFacts {
  readonly status: string
  /** True when the platform is known to refuse the token. */
  readonly token_refused: boolean
  readonly capabilities: ReadonlyArray<AccountCapability>
}

/** How long an observed block is valid, in milliseconds. gaps-2 E "Choice of connection" */
const blockCountsMs = 12 * hourMs

/** The block codes, in the order in which they must be resolved. gaps-2 E "Choice of connection" */
const blocks = [
  ["141006", "upstream_payment_method_required"],
  ["141008", "upstream_account_inactive"],
  ["141011", "upstream_messaging_permission_missing"]
] as const

/**
 * Returns the delivery code for which nothing may be sent through the connection that covers a number; undefined when
 * it may be used. `now` is epoch milliseconds. gaps-2 E "Choice of connection", M-CONN-19
 */
export const refusalOf = (
  connection: ConnectionFacts | undefined,
  bizAccountId: string,
  now: number
): string | undefined => {
  if (connection === undefined) return "no_provider_connection"
  if (connection.status === "suspended") return "provider_connection_suspended"
  if (connection.token_refused) return "provider_connection_unauthorized"
  return blockCodesOf(connection.capabilities, bizAccountId, now)[0]
}

/**
 * Returns the delivery codes of a recently observed block of one account, in the order in which they must be resolved.
 */
export const blockCodesOf = (
  capabilities: ReadonlyArray<AccountCapability>,
  bizAccountId: string,
  now: number
): ReadonlyArray<string> => {
  const known = capabilities.find((entry) => entry.biz_account_id === bizAccountId)
  if (known?.send_capability !== "blocked" || known.observed_at === null) return []
  if (now - Date.parse(known.observed_at) >= blockCountsMs) return []
  return blocks.filter(([code]) => known.send_block_codes?.includes(code)).map(([, delivery]) => delivery)
}

/** Returns the known codes among the given ones, each once, in the order in which they must be resolved. M-CONN-10 */
const orderedBlocks = (codes: ReadonlyArray<string>): ReadonlyArray<string> =>
  blocks.filter(([code]) => codes.includes(code)).map(([code]) => code)

/** Returns an account as a connection shows it, with only those block codes that callers know. M-CONN-10 M-CONN-13 */
export const shownCapability = (account: AccountCapability): AccountCapability => ({
  ...account,
  send_block_codes: account.send_capability === "blocked" ? orderedBlocks(account.send_block_codes ?? []) : null
})

/**
 * Returns the capability that a connection shows at its top level: the worst one of its accounts. gaps-2 L "Inner
 * connection shapes"
 */
export const worstCapability = (accounts: ReadonlyArray<AccountCapability>) => {
  const blocked = accounts.filter(({ send_capability }) => send_capability === "blocked")
  const worst = blocked.length > 0 ? blocked : accounts.filter(({ send_capability }) => send_capability !== null)
  const observed = worst.flatMap(({ observed_at }) => observed_at ?? []).sort()
  return {
    send_capability: worst[0]?.send_capability ?? null,
    send_block_codes:
      blocked.length === 0 ? null : orderedBlocks(blocked.flatMap(({ send_block_codes }) => send_block_codes ?? [])),
    send_capability_observed_at: observed.at(-1) ?? null
  }
}

/** Returns the accounts that a token reaches, each with what was known of it before. */
export const reachedAccounts = (
  accounts: ReadonlyArray<string>,
  known: ReadonlyArray<AccountCapability> = []
): ReadonlyArray<AccountCapability> =>
  accounts.map(
    (biz_account_id) =>
      known.find((entry) => entry.biz_account_id === biz_account_id) ?? {
        biz_account_id,
        send_capability: null,
        send_block_codes: null,
        observed_at: null
      }
  )

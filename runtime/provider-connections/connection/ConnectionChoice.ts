/** One business account that a credential reaches, as last observed. gaps-2 L "Inner connection shapes" */
export interface AccountCapability {
  readonly biz_account_id: string
  readonly send_capability: "available" | "blocked"
  readonly send_block_codes: ReadonlyArray<string>
  /** RFC 3339. */
  readonly observed_at: string
}

/** What the choice of a connection goes by. */
export interface ConnectionFacts {
  readonly status: string
  readonly capabilities: ReadonlyArray<AccountCapability>
}

/** How long an observed block counts, in milliseconds. gaps-2 E "Choice of connection" */
const blockCountsMs = 12 * 60 * 60 * 1000

/** In the order in which they are remedied. gaps-2 E "Choice of connection" */
const blocks = [
  ["141006", "upstream_payment_method_required"],
  ["141008", "upstream_account_inactive"],
  ["141011", "upstream_messaging_permission_missing"]
] as const

/**
 * Why nothing leaves through the connection that covers a number, as a delivery code; undefined when it may be called.
 * `now` is epoch milliseconds. gaps-2 E "Choice of connection", M-CONN-19
 */
export const refusalOf = (
  connection: ConnectionFacts | undefined,
  bizAccountId: string,
  now: number
): string | undefined => {
  if (connection === undefined) return "no_provider_connection"
  if (connection.status === "suspended") return "provider_connection_suspended"
  const known = connection.capabilities.find((entry) => entry.biz_account_id === bizAccountId)
  if (known?.send_capability !== "blocked" || now - Date.parse(known.observed_at) >= blockCountsMs) return undefined
  return blocks.find(([code]) => known.send_block_codes.includes(code))?.[1]
}

import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ProviderConnectionStatus } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import { blockCodesOf } from "./ConnectionChoice.ts"
import { capabilitiesOf, type StoredConnection } from "./StoredConnection.ts"

type Channels = ProviderConnectionStatus["channels"]
type ChannelStatus = Channels["chatapp"]

/** Channels that a sandbox simulates without a connection. gaps-2 L "Status `channels`" */
const simulated: ReadonlySet<string> = new Set(["chatapp", "payments"])

/**
 * Returns whether each channel is ready, from the connections that are not disconnected, the selected one first; `now`
 * in epoch milliseconds. M-CONN-23, gaps-2 L "Status `channels`"
 */
export const channelsOf = (
  connections: ReadonlyArray<StoredConnection>,
  environment: EnvironmentKind,
  now: number
): Channels => {
  const channel = (name: StoredConnection["channel"]) =>
    statusOf(
      connections.filter((connection) => connection.channel === name),
      environment === "sandbox" && simulated.has(name),
      now
    )
  return {
    chatapp: channel("chatapp"),
    socialapp: channel("socialapp"),
    payments: channel("payments"),
    agentic_payments: channel("agentic_payments")
  }
}

const statusOf = (connections: ReadonlyArray<StoredConnection>, isSimulated: boolean, now: number): ChannelStatus => {
  const inUse =
    connections.find(({ status }) => status === "connected") ?? connections.find(({ status }) => status === "suspended")
  const connection_id = inUse?.id ?? null
  if (isSimulated) {
    // A sandbox always simulates chat; its payments use the provider that is connected.
    const active_mode = inUse?.channel === "payments" && inUse.status === "connected" ? inUse.provider : "sandbox"
    return { ready: true, status: "ready", active_mode, connection_id, reasons: [] }
  }
  if (inUse === undefined) {
    const pending = connections.find(({ status }) => status === "pending")
    return pending === undefined
      ? { ready: false, status: "missing", active_mode: null, connection_id: null, reasons: ["no_provider_connection"] }
      : {
          ready: false,
          status: "pending",
          active_mode: null,
          connection_id: pending.id,
          reasons: ["provider_connection_pending"]
        }
  }
  const reasons = reasonsOf(inUse, now)
  const ready = reasons.length === 0
  return { ready, status: ready ? "ready" : "blocked", active_mode: inUse.provider, connection_id, reasons }
}

/** Returns the reasons for which a live connection cannot be used, as delivery codes. */
const reasonsOf = (connection: StoredConnection, now: number): ReadonlyArray<string> => {
  if (connection.status === "suspended") return ["provider_connection_suspended"]
  const ended = connection.token_expires_at !== null && connection.token_expires_at <= now
  return [
    ...(ended || connection.token_refused_at !== null ? ["provider_connection_unauthorized"] : []),
    ...(connection.subscription_refused_at !== null ? ["upstream_subscription_missing"] : []),
    ...blockCodesOf(capabilitiesOf(connection), connection.biz_account_id ?? "", now)
  ]
}

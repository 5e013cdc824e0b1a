import type { Tenant } from "./Tenants.ts"

/** Messages on their way at most; beyond that the load waits for answers. */
const mostInFlight = 200

/** Messages that are sent at a steady rate, and how they fared. */
export interface Load {
  readonly accepted: () => number
  readonly failed: () => number
  /** Messages whose `message.delivered` has not reached the receiver. */
  readonly missing: () => number
  /** Milliseconds from the first try to the 202 of each message of the last ten seconds, ascending. */
  readonly latencies: () => ReadonlyArray<number>
  /** When the newest message was accepted, as its 202 says (RFC 3339); undefined before the first. */
  readonly newest: () => string | undefined
  readonly delivered: (message_id: string) => void
  /** Ends the load and resolves when no send is in flight. */
  readonly stop: () => Promise<void>
}

/** Sends `perSecond` texts a second, to each tenant in turn. A send that fails is counted and its reason is told. */
export const startLoad = (
  tenants: ReadonlyArray<Tenant>,
  perSecond: number,
  tellFailure: (reason: string) => void
): Load => {
  const waiting = new Set<string>()
  // A delivery may arrive before the answer to its send, and more than once.
  const arrived = new Set<string>()
  const recent: Array<{ readonly at: number; readonly ms: number }> = []
  let accepted = 0
  let failed = 0
  let inFlight = 0
  let sent = 0
  let newest: string | undefined
  const began = performance.now()

  const send = async ({ client, customer, phoneNumberId }: Tenant, number: number) => {
    const at = performance.now()
    try {
      const { created_at, id } = await client.messages.send({
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: phoneNumberId },
        recipient: { type: "phone_e164", id: customer },
        message: { type: "text", text: { body: `Pedido ${number}` } }
      })
      accepted++
      if (newest === undefined || created_at > newest) newest = created_at
      if (!arrived.has(id)) waiting.add(id)
      recent.push({ at: performance.now(), ms: performance.now() - at })
    } catch (error) {
      failed++
      tellFailure(error instanceof Error ? error.message : String(error))
    } finally {
      inFlight--
    }
  }
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond)
    while (sent < due) {
      const tenant = tenants[sent % tenants.length]
      sent++
      if (tenant === undefined || inFlight >= mostInFlight) continue
      inFlight++
      void send(tenant, sent)
    }
  }, 20)

  return {
    accepted: () => accepted,
    failed: () => failed,
    missing: () => waiting.size,
    latencies: () => {
      const since = performance.now() - 10_000
      while (recent[0] !== undefined && recent[0].at < since) recent.shift()
      return recent.map(({ ms }) => ms).toSorted((one, other) => one - other)
    },
    newest: () => newest,
    delivered: (message_id) => {
      arrived.add(message_id)
      waiting.delete(message_id)
    },
    stop: async () => {
      clearInterval(timer)
      while (inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

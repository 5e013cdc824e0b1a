import { createServer } from "node:http"
import Stripe from "stripe"
import { listen } from "../kit/Routes.ts"
import { type StripeSimulator, startStripe } from "../stripe/Simulator.ts"

export const apiKey = "sk_test_simulated"
export const webhookSecret = "whsec_simulated"

/** A simulated account, the official client over its own HTTP client, and a receiver of webhooks. */
export interface Stage {
  readonly simulator: StripeSimulator
  readonly client: Stripe
  /** Webhooks as they arrived, with their signatures. */
  readonly received: ReadonlyArray<{ readonly body: string; readonly signature: string }>
  /** Turns the account's clock. */
  readonly turn: (millis: number) => void
  readonly close: () => Promise<void>
}

/** Returns the official client for an address. */
export const clientOf = (url: string, key = apiKey): Stripe => {
  const { hostname, port } = new URL(url)
  return new Stripe(key, {
    host: hostname,
    port,
    protocol: "http",
    httpClient: Stripe.createNodeHttpClient(),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: 1000
  })
}

export const startStage = async (): Promise<Stage> => {
  let ahead = 0
  const simulator = await startStripe({ apiKey, webhookSecret, now: () => Date.now() + ahead, searchLagMs: 60_000 })
  const received: Array<{ readonly body: string; readonly signature: string }> = []
  const receiver = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const signature = String(request.headers["stripe-signature"])
      received.push({ body: Buffer.concat(chunks).toString("utf8"), signature })
      response.writeHead(200).end()
    })
  })
  simulator.webhooks.aim(`${await listen(receiver, 0)}/webhooks`)
  return {
    simulator,
    client: clientOf(simulator.url),
    received,
    turn: (millis) => {
      ahead += millis
    },
    close: async () => {
      await simulator.close()
      receiver.closeAllConnections()
      receiver.close()
    }
  }
}

/** Waits until something holds; the test's own time limit ends a wait in vain. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

/** Returns the error that a call ends with. */
export const refusalOf = async (call: Promise<unknown>): Promise<InstanceType<typeof Stripe.errors.StripeError>> => {
  try {
    await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error
    throw error
  }
  throw new Error("the call was not refused")
}

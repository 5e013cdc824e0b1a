import { parseArgs } from "node:util"
import { hostTelling, type Program, vendorClock } from "../kit/Lifetime.ts"
import { startStripe } from "./Simulator.ts"

const usage = `[--port 0] [--search-lag-ms 1000] [--webhook-url http://127.0.0.1:8080/webhooks/cardproc]
  --search-lag-ms   how long a new object is not found by searches
  CARTEIRO_CARDPROC_API_KEY, _WEBHOOK_SECRET   as the product has them
`

/** The simulated Stripe account. */
export const stripe: Program = {
  usage,
  start: async (words) => {
    const { values } = parseArgs({
      args: [...words],
      options: {
        port: { type: "string", default: "0" },
        "search-lag-ms": { type: "string", default: "1000" },
        "webhook-url": { type: "string" }
      }
    })
    const simulator = await startStripe(
      {
        apiKey: process.env.CARTEIRO_CARDPROC_API_KEY || "demo",
        webhookSecret: process.env.CARTEIRO_CARDPROC_WEBHOOK_SECRET || "demo",
        now: vendorClock,
        searchLagMs: Number(values["search-lag-ms"])
      },
      Number(values.port)
    )
    return hostTelling(simulator, values["webhook-url"])
  }
}

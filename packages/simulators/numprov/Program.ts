import { parseArgs } from "node:util"
import { hostTelling, type Program, vendorClock } from "../kit/Lifetime.ts"
import { startNumprov } from "./Simulator.ts"

const usage = `[--port 0] [--webhook-url http://127.0.0.1:8080/webhooks/numprov/platform]
  --work-ms   milliseconds from an order to its number; 1000 unless given
  CARTEIRO_NUMPROV_API_KEY, _WEBHOOK_SECRET   as the product has them
`

/** The simulated number provider. */
export const numprov: Program = {
  usage,
  start: async (words) => {
    const { values } = parseArgs({
      args: [...words],
      options: {
        port: { type: "string", default: "0" },
        "webhook-url": { type: "string" },
        "work-ms": { type: "string", default: "1000" }
      }
    })
    const simulator = await startNumprov(
      {
        apiKey: process.env.CARTEIRO_NUMPROV_API_KEY || "demo",
        webhookSecret: process.env.CARTEIRO_NUMPROV_WEBHOOK_SECRET || "demo",
        workMs: Number(values["work-ms"]),
        now: vendorClock
      },
      Number(values.port)
    )
    return hostTelling(simulator, values["webhook-url"])
  }
}

import { parseArgs } from "node:util"
import { hostTelling, type Program, vendorClock } from "../kit/Lifetime.ts"
import { startTelnyx } from "./Simulator.ts"

const usage = `[--port 0] [--webhook-url http://127.0.0.1:8080/webhooks/numprov/platform]
  --work-ms         milliseconds from an order to its numbers; 1000 unless given
  CARTEIRO_NUMPROV_API_KEY   as the product has it
  CARTEIRO_NUMPROV_WEBHOOK_SECRET   a text that the key of its webhooks is made of; it prints the public key
`

/** The simulated Telnyx. */
export const telnyx: Program = {
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
    const simulator = await startTelnyx(
      {
        apiKey: process.env.CARTEIRO_NUMPROV_API_KEY || "demo",
        webhookSecret: process.env.CARTEIRO_NUMPROV_WEBHOOK_SECRET || "demo",
        workMs: Number(values["work-ms"]),
        now: vendorClock
      },
      Number(values.port)
    )
    return { ...hostTelling(simulator, values["webhook-url"]), facts: { public_key: simulator.publicKey } }
  }
}

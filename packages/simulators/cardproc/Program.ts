import { parseArgs } from "node:util"
import { hostTelling, type Program, vendorClock } from "../kit/Lifetime.ts"
import { startCardproc } from "./Simulator.ts"

const usage = `[--port 0] [--webhook-url http://127.0.0.1:8080/webhooks/cardproc]
  CARTEIRO_CARDPROC_API_KEY, _WEBHOOK_SECRET   as the product has them
`

/** The simulated card processor. */
export const cardproc: Program = {
  usage,
  start: async (words) => {
    const { values } = parseArgs({
      args: [...words],
      options: { port: { type: "string", default: "0" }, "webhook-url": { type: "string" } }
    })
    const simulator = await startCardproc(
      {
        apiKey: process.env.CARTEIRO_CARDPROC_API_KEY || "demo",
        webhookSecret: process.env.CARTEIRO_CARDPROC_WEBHOOK_SECRET || "demo",
        now: vendorClock
      },
      Number(values.port)
    )
    return hostTelling(simulator, values["webhook-url"])
  }
}

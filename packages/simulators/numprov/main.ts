import { parseArgs } from "node:util"
import { live, vendorClock } from "../kit/Lifetime.ts"
import { recordOf } from "../kit/Routes.ts"
import { startNumprov } from "./Simulator.ts"

// A simulated number provider in a process of its own. It takes its credentials from the variables that the product takes
// them from, so that both agree.

const usage = `Usage: node packages/simulators/numprov/main.ts [--port 0] [--webhook-url http://127.0.0.1:8080/webhooks/numprov/platform]

  --work-ms   milliseconds from an order to its number; 1000 unless given
  CARTEIRO_NUMPROV_API_KEY, _WEBHOOK_SECRET   as the product has them
`

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "webhook-url": { type: "string" },
    "work-ms": { type: "string", default: "1000" },
    help: { type: "boolean", short: "h" }
  }
})
if (values.help) {
  process.stdout.write(usage)
  process.exit(0)
}

const simulator = await startNumprov(
  {
    apiKey: process.env.CARTEIRO_NUMPROV_API_KEY || "demo",
    webhookSecret: process.env.CARTEIRO_NUMPROV_WEBHOOK_SECRET || "demo",
    workMs: Number(values["work-ms"]),
    now: vendorClock
  },
  Number(values.port)
)
if (values["webhook-url"] !== undefined) simulator.webhooks.aim(values["webhook-url"])

live(simulator.url, {
  told: (message) => {
    const { webhook_url } = recordOf(message)
    if (typeof webhook_url === "string") simulator.webhooks.aim(webhook_url)
  },
  stop: () => simulator.close()
})

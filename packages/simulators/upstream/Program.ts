import { parseArgs } from "node:util"
import { type Program, vendorClock } from "../kit/Lifetime.ts"
import { recordOf } from "../kit/Routes.ts"
import { startUpstream } from "./Simulator.ts"
import type { AccountSetup } from "./World.ts"

const usage = `[--port 0] [--webhook-url http://127.0.0.1:8080/webhooks/upstream]
  --accounts        JSON list of {biz_account_id, token, numbers, templates, subscribed}
  --sms-url         where text messages with verification codes are posted
  --status-unit-ms  sent after one unit, delivered after three, read after six; 500 unless given
  CARTEIRO_UPSTREAM_APP_ID, _APP_SECRET, _WEBHOOK_VERIFY_TOKEN   as the product has them
`

const optionsOf = (words: ReadonlyArray<string>) =>
  parseArgs({
    args: [...words],
    options: {
      port: { type: "string", default: "0" },
      "webhook-url": { type: "string" },
      "sms-url": { type: "string" },
      accounts: { type: "string", default: "[]" },
      "status-unit-ms": { type: "string", default: "500" }
    }
  }).values

const variable = (name: string, standard: string) => process.env[`CARTEIRO_UPSTREAM_${name}`] || standard

/** The simulated chat platform. */
export const upstream: Program = {
  usage,
  start: async (words) => {
    const values = optionsOf(words)
    /** The number provider's simulator has a route for text messages to numbers. */
    let smsUrl = values["sms-url"]
    const sms = (to: string, text: string): void => {
      if (smsUrl === undefined) return
      fetch(smsUrl, { method: "POST", body: JSON.stringify({ to, text }) }).then(
        (answer) => answer.arrayBuffer(),
        () => undefined
      )
    }
    const simulator = await startUpstream(
      {
        now: vendorClock,
        appId: variable("APP_ID", "demo"),
        appSecret: variable("APP_SECRET", "demo"),
        verifyToken: variable("WEBHOOK_VERIFY_TOKEN", "demo"),
        statusUnitMs: Number(values["status-unit-ms"]),
        reviewMs: 1000,
        sms
      },
      Number(values.port)
    )
    for (const account of JSON.parse(values.accounts) as ReadonlyArray<AccountSetup>) simulator.world.add(account)

    /** Retries until the product proves that it listens, because it starts after its simulators. */
    const subscribe = async (url: string): Promise<void> => {
      for (let pause = 100; !(await simulator.notices.subscribe(url)); pause = Math.min(5000, pause * 2)) {
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
    if (values["webhook-url"] !== undefined) void subscribe(values["webhook-url"])
    return {
      url: simulator.url,
      receive: (message) => {
        const { account, sms_url, webhook_url } = recordOf(message)
        if (typeof sms_url === "string") smsUrl = sms_url
        if (account !== undefined) simulator.world.add(account as AccountSetup)
        if (typeof webhook_url === "string") void subscribe(webhook_url)
      },
      stop: () => simulator.close()
    }
  }
}

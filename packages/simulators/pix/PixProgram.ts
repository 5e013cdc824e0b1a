import { parseArgs } from "node:util"
import { type Program, vendorClock } from "../kit/Lifetime.ts"
import { recordOf } from "../kit/Routes.ts"
import type { AccountSetup } from "./Accounts.ts"
import type { PixOptions, PixSimulator } from "./PixSimulator.ts"

const usage = `[--port 0] [--work-ms 500]
  --accounts   JSON list of {key, webhook_secret, webhook_url}: who is told what happens, and where
  --work-ms    how long what the vendor decides by itself takes, such as a cancel
`

/** Starts a simulated Pix vendor. */
type Start = (options: PixOptions, port: number) => Promise<PixSimulator>

/**
 * Makes the program of a simulated Pix vendor. `platform` is the product's own account, whose webhook address is set
 * once the product listens.
 */
export const pixProgram = (start: Start, platform?: () => Omit<AccountSetup, "webhook_url">): Program => ({
  usage,
  start: async (words) => {
    const { values } = parseArgs({
      args: [...words],
      options: {
        port: { type: "string", default: "0" },
        accounts: { type: "string", default: "[]" },
        "work-ms": { type: "string", default: "500" }
      }
    })
    const accounts = JSON.parse(values.accounts) as ReadonlyArray<AccountSetup>
    const simulator = await start(
      { now: vendorClock, workMs: Number(values["work-ms"]), accounts },
      Number(values.port)
    )
    return {
      url: simulator.url,
      receive: (message) => {
        const { accounts: told, platform_webhook_url } = recordOf(message)
        if (Array.isArray(told))
          for (const account of told as ReadonlyArray<AccountSetup>) simulator.accounts.setUp(account)
        if (platform !== undefined && typeof platform_webhook_url === "string") {
          simulator.accounts.setUp({ ...platform(), webhook_url: platform_webhook_url })
        }
      },
      stop: () => simulator.close()
    }
  }
})

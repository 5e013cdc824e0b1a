import { parseArgs } from "node:util"
import { type Program, vendorClock } from "../kit/Lifetime.ts"
import { recordOf } from "../kit/Routes.ts"
import type { AccountSetup } from "../pix/Accounts.ts"
import { startMercadopago } from "./Simulator.ts"

const usage = `[--port 0] [--search-lag-ms 1000]
  --accounts        JSON list of {key, webhook_secret, webhook_url}: whose payments without an address are told where
  --search-lag-ms   how old a thing is before searches find it
`

/** The simulated Mercado Pago, with the product's own account. */
export const mercadopago: Program = {
  usage,
  start: async (words) => {
    const { values } = parseArgs({
      args: [...words],
      options: {
        port: { type: "string", default: "0" },
        accounts: { type: "string", default: "[]" },
        "search-lag-ms": { type: "string", default: "1000" }
      }
    })
    const accounts = JSON.parse(values.accounts) as ReadonlyArray<AccountSetup>
    const simulator = await startMercadopago(
      { now: vendorClock, accounts, searchLagMs: Number(values["search-lag-ms"]) },
      Number(values.port)
    )
    return {
      url: simulator.url,
      receive: (message) => {
        const { accounts: changed, platform_webhook_url } = recordOf(message)
        if (Array.isArray(changed))
          for (const account of changed as ReadonlyArray<AccountSetup>) simulator.accounts.setUp(account)
        if (typeof platform_webhook_url !== "string") return
        simulator.accounts.setUp({
          key: process.env.CARTEIRO_PIXPROV2_PLATFORM_API_KEY || "demo",
          webhook_secret: process.env.CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET || "demo",
          webhook_url: platform_webhook_url
        })
      },
      stop: () => simulator.close()
    }
  }
}

import { parseArgs } from "node:util"
import { live, vendorClock } from "../kit/Lifetime.ts"
import { recordOf } from "../kit/Routes.ts"
import type { AccountSetup } from "./Accounts.ts"
import type { PixOptions, PixSimulator } from "./PixSimulator.ts"

/**
 * Runs a simulated Pix vendor in this process, as the command line says. `platform` is the account of the product itself,
 * which hears where the product listens once that stands.
 */
export const runPix = async (
  name: string,
  start: (options: PixOptions, port: number) => Promise<PixSimulator>,
  platform?: Omit<AccountSetup, "webhook_url">
): Promise<void> => {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      accounts: { type: "string", default: "[]" },
      "work-ms": { type: "string", default: "500" },
      help: { type: "boolean", short: "h" }
    }
  })
  if (values.help) {
    process.stdout.write(`Usage: node packages/simulators/${name}/main.ts [--port 0] [--work-ms 500]

  --accounts   JSON list of {key, webhook_secret, webhook_url}: who is told what happens, and where
  --work-ms    how long what the vendor decides by itself takes, such as a cancel
`)
    process.exit(0)
  }
  const accounts = JSON.parse(values.accounts) as ReadonlyArray<AccountSetup>
  const simulator = await start({ now: vendorClock, workMs: Number(values["work-ms"]), accounts }, Number(values.port))
  live(simulator.url, {
    told: (message) => {
      const { accounts: told, platform_webhook_url } = recordOf(message)
      if (Array.isArray(told))
        for (const account of told as ReadonlyArray<AccountSetup>) simulator.accounts.setUp(account)
      if (platform !== undefined && typeof platform_webhook_url === "string") {
        simulator.accounts.setUp({ ...platform, webhook_url: platform_webhook_url })
      }
    },
    stop: () => simulator.close()
  })
}

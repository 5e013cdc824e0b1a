import { CallLog } from "../kit/CallLog.ts"
import { Faults } from "../kit/Faults.ts"
import { standardLandingMs } from "../kit/Landings.ts"
import { listen, serverOf } from "../kit/Routes.ts"
import { apiRoutes } from "./ApiRoutes.ts"
import { Account } from "./account/Account.ts"
import { Charges } from "./account/ChargeView.ts"
import type { Events } from "./account/Events.ts"
import { controlRoutes } from "./ControlRoutes.ts"
import { Gate } from "./Gate.ts"
import { pages } from "./Pages.ts"
import { stripeFaultNames } from "./StripeFaults.ts"
import type { StripeOptions } from "./Vendor.ts"
import { envelope } from "./wire/Refusal.ts"

/** A simulated Stripe account that listens. */
export interface StripeSimulator {
  readonly url: string
  readonly log: CallLog
  readonly faults: Faults
  readonly account: Account
  readonly charges: Charges
  readonly webhooks: Events
  readonly close: () => Promise<void>
}

/** Starts one on loopback; port 0 takes any free one. */
export const startStripe = async (options: StripeOptions, port = 0): Promise<StripeSimulator> => {
  const log = new CallLog(options.now)
  const faults = new Faults(stripeFaultNames)
  const account = new Account(options, log, faults)
  const gate = new Gate(account, options, log, faults)
  const charges = new Charges(account, () => gate.landDue())
  const searchLagMs = options.searchLagMs ?? standardLandingMs
  const server = serverOf(
    [
      ...controlRoutes(account, charges, log, faults),
      ...pages(account, charges),
      ...apiRoutes({ account, charges, gate, faults, searchLagMs })
    ],
    ({ method, path }) => ({
      status: 404,
      body: envelope({
        message: `Unrecognized request URL (${method}: ${path}). If you are trying to list objects, remove the trailing slash.`,
        type: "invalid_request_error"
      })
    })
  )
  const url = await listen(server, port)
  account.origin = url
  return {
    url,
    log,
    faults,
    account,
    charges,
    webhooks: account.events,
    close: () => {
      account.close()
      gate.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

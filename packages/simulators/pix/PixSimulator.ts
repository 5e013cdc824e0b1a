import { CallLog } from "../kit/CallLog.ts"
import { Faults } from "../kit/Faults.ts"
import { Landings } from "../kit/Landings.ts"
import { listen, type RouteList, serverOf } from "../kit/Routes.ts"
import { type AccountSetup, Accounts } from "./Accounts.ts"
import { type ChargeStyle, chargeRoutes } from "./ChargeRoutes.ts"
import { Charges } from "./Charges.ts"
import { paymentPages } from "./Pages.ts"
import { pixControl } from "./PixControl.ts"
import { pixError } from "./PixErrors.ts"
import { pixFaultNames, type RouteContext } from "./PixFaults.ts"
import { qrCode } from "./QrCode.ts"

/** A simulated Pix vendor that listens. */
export interface PixSimulator {
  readonly url: string
  readonly log: CallLog
  readonly faults: Faults
  readonly accounts: Accounts
  readonly charges: Charges
  readonly close: () => Promise<void>
}

/** The settings of a simulated Pix vendor. */
export interface PixOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds that the vendor's own decisions take. */
  readonly workMs: number
  readonly accounts: ReadonlyArray<AccountSetup>
}

/** The differences between the vendors. */
type Style = Omit<ChargeStyle, "workMs"> & { readonly idPrefix: string; readonly noticeType: string }

/** Starts a Pix vendor on loopback; `more` are routes beside those of charges. */
export const startPix = async (
  options: PixOptions,
  style: Style,
  more: (context: RouteContext & Pick<PixOptions, "now" | "workMs">) => {
    readonly routes: RouteList
    readonly close: () => void
  },
  port: number
): Promise<PixSimulator> => {
  const { now, workMs } = options
  const log = new CallLog(now)
  const faults = new Faults(pixFaultNames)
  const accounts = new Accounts(log, faults, now)
  for (const account of options.accounts) accounts.setUp(account)
  const { idPrefix, noticeType } = style
  const charges = new Charges({ log, now, qrCode, idPrefix, noticeType })
  const landings = new Landings(now)
  const context = { log, faults, accounts, landings }
  const others = more({ ...context, now, workMs })
  const routes: RouteList = [
    ...pixControl(log, faults, accounts, charges),
    ...chargeRoutes(context, charges, { ...style, workMs }),
    ...paymentPages(charges),
    ...others.routes
  ]
  const server = serverOf(routes, () => pixError("not_found", "no route"))
  const url = await listen(server, port)
  return {
    url,
    log,
    faults,
    accounts,
    charges,
    close: () => {
      accounts.close()
      charges.close()
      landings.close()
      others.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

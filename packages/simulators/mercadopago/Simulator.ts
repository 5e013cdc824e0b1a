import { CallLog } from "../kit/CallLog.ts"
import { Faults } from "../kit/Faults.ts"
import { Landings } from "../kit/Landings.ts"
import { listen, serverOf } from "../kit/Routes.ts"
import type { PixOptions } from "../pix/PixSimulator.ts"
import { checkoutPages } from "./CheckoutPages.ts"
import { type MercadopagoContext, mercadopagoFaultNames, refuse } from "./MercadopagoContext.ts"
import { decide, mercadopagoControl } from "./MercadopagoControl.ts"
import { failure, mercadopagoRefusals, refusalOf } from "./MercadopagoErrors.ts"
import { Merchants } from "./Merchants.ts"
import { paymentRoutes } from "./PaymentRoutes.ts"
import { type Outcome, Payments } from "./Payments.ts"
import { preferenceRoutes } from "./PreferenceRoutes.ts"
import { Preferences } from "./Preferences.ts"

/** A simulated Mercado Pago that listens. */
export interface MercadopagoSimulator {
  readonly url: string
  readonly log: CallLog
  readonly faults: Faults
  readonly accounts: Merchants
  readonly payments: Payments
  readonly preferences: Preferences
  /** Ends a payment or preference by its id, reference or code, as its payer or time does; undefined for an unknown. */
  readonly decide: (name: string, outcome: Outcome) => { readonly moved: boolean; readonly status: string } | undefined
  readonly close: () => Promise<void>
}

/** The settings of a simulated Mercado Pago. */
export interface MercadopagoOptions extends Pick<PixOptions, "now" | "accounts"> {
  /** The age from which searches find a thing, in milliseconds; they find it at once unless given. */
  readonly searchLagMs?: number
}

/** Starts one on loopback; port 0 takes any free one. */
export const startMercadopago = async (options: MercadopagoOptions, port = 0): Promise<MercadopagoSimulator> => {
  const { now, searchLagMs = 0 } = options
  const log = new CallLog(now)
  const faults = new Faults(mercadopagoFaultNames)
  const merchants = new Merchants(log, faults, now)
  for (const account of options.accounts) merchants.setUp(account)
  const payments = new Payments(merchants, log, now)
  const preferences = new Preferences(log, now)
  const landings = new Landings(now)
  const context: MercadopagoContext = {
    log,
    faults,
    landings,
    codes: mercadopagoRefusals,
    refuse: refusalOf,
    failure,
    authenticate: (call) => {
      const account = merchants.of(call)
      return account === undefined ? refuse("credentials_invalid") : { account }
    },
    payments,
    preferences,
    now,
    searchLagMs
  }
  const server = serverOf(
    [
      ...mercadopagoControl(context, merchants),
      ...paymentRoutes(context),
      ...preferenceRoutes(context),
      ...checkoutPages(context)
    ],
    () => refusalOf("not_found", "no route")
  )
  const url = await listen(server, port)
  return {
    url,
    log,
    faults,
    accounts: merchants,
    payments,
    preferences,
    decide: (name, outcome) => decide(context, name, outcome),
    close: () => {
      merchants.close()
      payments.close()
      landings.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

import { signedWebhookFaults } from "../kit/FaultyWebhooks.ts"
import { lostCallNames } from "../kit/Strikes.ts"
import type { Done, VendorRoutes } from "../kit/VendorRoute.ts"
import { type MercadopagoRefusal, mercadopagoRefusals, refusalOf } from "./MercadopagoErrors.ts"
import type { Merchant } from "./Merchants.ts"
import type { Payments } from "./Payments.ts"
import type { ViewFlaws } from "./PaymentView.ts"
import type { Preferences } from "./Preferences.ts"

/**
 * Every fault by name, beside refusals, lost calls and webhooks: `slow` answers after `value` milliseconds;
 * `paid_after` and `failed_after` change a new payment after `value` milliseconds; `wrong_amount`, `unreadable_amount`
 * and `wrong_external_id` show a payment as another; `stuck_cancel` answers a cancel and leaves the payment pending.
 * `lands_late` cuts the connection of a create, which then takes effect after `value` milliseconds: until then it is
 * not found, and its key is locked. `lagging_lookup` leaves out of a search everything younger than `value`
 * milliseconds; `unfiltered_lookup` searches without the reference. `early_webhook` answers a create after its webhook
 * was answered; `signed_in_seconds` writes the time of a signature in seconds, as older documents show it.
 */
export const mercadopagoFaultNames = [
  ...mercadopagoRefusals,
  ...lostCallNames,
  ...signedWebhookFaults,
  "slow",
  "paid_after",
  "failed_after",
  "wrong_amount",
  "wrong_external_id",
  "unreadable_amount",
  "stuck_cancel",
  "lands_late",
  "lagging_lookup",
  "unfiltered_lookup",
  "early_webhook",
  "signed_in_seconds"
] as const

/** The services of Mercado Pago's routes. */
export interface MercadopagoContext extends VendorRoutes<Merchant, MercadopagoRefusal> {
  readonly payments: Payments
  readonly preferences: Preferences
  /** Epoch milliseconds. */
  readonly now: () => number
  /** The age from which searches find a thing, in milliseconds. */
  readonly searchLagMs: number
}

/** Makes a refusal and its name in the log. */
export const refuse = (code: MercadopagoRefusal, message?: string, facts?: Done["facts"]): Done => ({
  answer: refusalOf(code, message),
  outcome: code,
  ...(facts === undefined ? undefined : { facts })
})

/** Returns the flaws that faults give to the payment of an answer. */
export const flawsOf = ({ faults }: MercadopagoContext): ViewFlaws => {
  const operation = "checkout"
  return {
    wrongAmount: faults.hit(["wrong_amount"], { operation }) !== undefined,
    unreadableAmount: faults.hit(["unreadable_amount"], { operation }) !== undefined,
    wrongReference: faults.hit(["wrong_external_id"], { operation }) !== undefined
  }
}

/** Lets a new payment change by itself, where faults say so. */
export const decideItself = ({ faults, payments }: MercadopagoContext, id: string): void => {
  for (const outcome of ["paid", "failed"] as const) {
    const fault = faults.hit([`${outcome}_after`], { operation: "checkout" })
    if (fault === undefined) continue
    payments.after(fault.value ?? 0, () => {
      const payment = payments.any(id)
      if (payment !== undefined) payments.end(payment, outcome)
    })
  }
}

/** Returns the filter of a search: of one reference unless a fault forgets it, and without things that are too young. */
export const searchFilter = (
  { faults, now, searchLagMs }: MercadopagoContext,
  query: URLSearchParams
): ((one: { readonly externalReference: string | null; readonly createdAt: number }) => boolean) => {
  const operation = "checkout_lookup"
  const lag = faults.hit(["lagging_lookup"], { operation })
  const lagMs = lag === undefined ? searchLagMs : (lag.value ?? 1000)
  const isUnfiltered = faults.hit(["unfiltered_lookup"], { operation }) !== undefined
  const reference = isUnfiltered ? null : query.get("external_reference")
  return ({ createdAt, externalReference }) =>
    now() - createdAt >= lagMs && (reference === null || externalReference === reference)
}

/** Returns the page of a search: `limit` and `offset` of the query within Mercado Pago's bounds. */
export const pageOf = (query: URLSearchParams): { readonly limit: number; readonly offset: number } => {
  const whole = (name: string, standard: number, most: number) => {
    const value = Number(query.get(name) ?? standard)
    return Number.isSafeInteger(value) && value >= 0 ? Math.min(value, most) : standard
  }
  return { limit: whole("limit", 30, 1000), offset: whole("offset", 0, 10_000) }
}

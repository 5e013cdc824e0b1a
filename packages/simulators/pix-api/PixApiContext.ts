import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import type { Landings } from "../kit/Landings.ts"
import type { Call, Handler, SimulatedAnswer } from "../kit/Routes.ts"
import { lostCallNames } from "../kit/Strikes.ts"
import { type Done, type NamedMake, vendorRoute } from "../kit/VendorRoute.ts"
import type { Cobs } from "./Cobs.ts"
import type { Locations } from "./Locations.ts"
import { failure, type PixApiRefusal, pixApiRefusals, refusalOf } from "./PixApiErrors.ts"
import type { Receiver, Receivers, Scope } from "./Receivers.ts"
import type { CobFlaws } from "./Views.ts"

/**
 * Every fault by name, beside refusals and lost calls: `slow` answers after `value` milliseconds; `paid_after` and
 * `expired_after` change a new charge after `value` milliseconds; `wrong_amount`, `unreadable_amount` and
 * `wrong_external_id` show a charge as another; `stuck_cancel` answers a removal and leaves the charge active.
 * `lands_late` cuts the connection of a create, which then takes effect after `value` milliseconds: until then it is
 * not found, and a repeat is refused. `lagging_lookup` leaves out of lists everything younger than `value`
 * milliseconds; a read by txid is exact. `early_webhook` pays a charge and tells its receipt before the create is
 * answered; `refund_fails` ends a refund without money. Webhooks have no signature to forge.
 */
export const pixApiFaultNames = [
  ...pixApiRefusals,
  ...lostCallNames,
  "duplicate_webhook",
  "reorder_webhooks",
  "delay_webhook",
  "lost_webhook",
  "slow",
  "paid_after",
  "expired_after",
  "wrong_amount",
  "wrong_external_id",
  "unreadable_amount",
  "stuck_cancel",
  "lands_late",
  "lagging_lookup",
  "early_webhook",
  "refund_fails"
] as const

/** The services of the bank's routes. */
export interface PixApiContext {
  readonly log: CallLog
  readonly faults: Faults
  readonly landings: Landings
  readonly receivers: Receivers
  readonly locations: Locations
  readonly cobs: Cobs
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds from a refund to its end. */
  readonly workMs: number
  /** Seconds for which a token is good. */
  readonly tokenSeconds: number
}

/** Makes a refusal and its name in the log. */
export const refuse = (code: PixApiRefusal, detail?: string, facts?: Done["facts"]): Done =>
  refuseWith(code, refusalOf(code, detail), facts)

/** Makes a refusal with an answer of its own. */
export const refuseWith = (outcome: string, answer: SimulatedAnswer, facts?: Done["facts"]): Done => ({
  answer,
  outcome,
  ...(facts === undefined ? undefined : { facts })
})

/** Makes a route that needs a token with a scope. */
export const routeOf =
  ({ faults, landings, log, receivers }: PixApiContext) =>
  (
    operation: string,
    scope: Scope,
    handle: (call: Call, receiver: Receiver) => Done | Promise<Done>,
    make?: NamedMake<Receiver>
  ): Handler => {
    const authenticate = (call: Call) => {
      const found = receivers.of(call, scope)
      if (found === undefined) return refuse("credentials_invalid")
      return found.isAllowed ? { account: found.receiver } : refuse("charge_rejected", `escopo ${scope}`)
    }
    const vendor = { log, faults, landings, codes: pixApiRefusals, refuse: refusalOf, failure, authenticate }
    return vendorRoute(vendor, "idempotency_key_in_use")(operation, handle, make)
  }

/** Returns the flaws that faults give to the charge of an answer. */
export const flawsOf = ({ faults }: PixApiContext): CobFlaws => {
  const operation = "checkout"
  return {
    wrongAmount: faults.hit(["wrong_amount"], { operation }) !== undefined,
    unreadableAmount: faults.hit(["unreadable_amount"], { operation }) !== undefined,
    wrongTxid: faults.hit(["wrong_external_id"], { operation }) !== undefined
  }
}

/** Returns the age from which lists show a thing, in milliseconds. */
export const lagOf = ({ faults }: PixApiContext): number => {
  const lag = faults.hit(["lagging_lookup"], { operation: "checkout_lookup" })
  return lag === undefined ? 0 : (lag.value ?? 1000)
}

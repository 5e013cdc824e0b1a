import type { CallLog } from "./CallLog.ts"
import type { Faults } from "./Faults.ts"
import { type Landings, standardLandingMs } from "./Landings.ts"
import type { Call, Handler, SimulatedAnswer } from "./Routes.ts"
import { type Struck, strikeAfter, strikeBefore } from "./Strikes.ts"

/** The result of a route, with its name and facts for the log. */
export interface Done {
  readonly answer: SimulatedAnswer
  readonly outcome: string
  readonly facts?: Readonly<Record<string, unknown>>
}

/** What the routes of one vendor share. */
export interface VendorRoutes<Account, Code extends string> {
  readonly log: CallLog
  readonly faults: Faults
  readonly landings: Landings
  /** The names of refusals that a fault may cause. */
  readonly codes: ReadonlyArray<Code>
  /** Returns the vendor's refusal; one for too many calls has the seconds to wait. */
  readonly refuse: (code: Code, message?: string, afterSeconds?: number) => SimulatedAnswer
  /** The vendor's answer when it fails. */
  readonly failure: SimulatedAnswer
  /** Returns the account of a call, or the refusal of its credential. */
  readonly authenticate: (call: Call) => { readonly account: Account } | Done
}

/** A call that makes a thing under a name of the caller's, and whose repeat is refused while it runs. */
export interface NamedMake<Account> {
  readonly nameOf: (call: Call, account: Account) => string
  /** Facts for the log of a call that was cut off. */
  readonly factsOf: (call: Call) => Readonly<Record<string, unknown>>
}

/**
 * Makes a route: credential, faults before its effect, the effect, faults after it; the log records the result.
 * `lands_late` cuts the connection of a call that makes a thing, which then takes effect after `value` milliseconds.
 */
export const vendorRoute =
  <Account, Code extends string>(vendor: VendorRoutes<Account, Code>, inUse: Code) =>
  (
    operation: string,
    handle: (call: Call, account: Account) => Done | Promise<Done>,
    make?: NamedMake<Account>
  ): Handler =>
  async (call) => {
    const { faults, landings, log } = vendor
    const note = (outcome: string, facts: object = {}) => log.add(operation, { outcome, ...facts })
    const slow = faults.hit(["slow"], { operation })
    if (slow !== undefined) await new Promise((resolve) => setTimeout(resolve, slow.value ?? 1000))
    const identity = vendor.authenticate(call)
    if ("answer" in identity) {
      note(identity.outcome)
      return identity.answer
    }
    const refuseBy = (code: Code, value: number | undefined) => vendor.refuse(code, "simulated", value)
    const struck = strikeBefore(faults, vendor.codes, refuseBy, operation, call)
    if (struck !== undefined) {
      note(struck.name)
      return answerOf(vendor, struck)
    }
    if (make !== undefined) {
      const name = make.nameOf(call, identity.account)
      if (landings.has(name)) {
        note(inUse, make.factsOf(call))
        return vendor.refuse(inUse, "a call under this name is under way")
      }
      const late = faults.hit(["lands_late"], { operation })
      if (late !== undefined) {
        landings.later(name, late.value ?? standardLandingMs, () => {
          void Promise.resolve(handle(call, identity.account)).then(({ facts, outcome }) =>
            note(outcome, { ...facts, landed: true })
          )
        })
        call.response.destroy()
        note("lands_late", make.factsOf(call))
        return undefined
      }
    }
    const { answer, facts, outcome } = await handle(call, identity.account)
    const struckAfter = strikeAfter(faults, operation, call)
    note(struckAfter?.name ?? outcome, facts)
    return struckAfter === undefined ? answer : answerOf(vendor, struckAfter)
  }

/** Returns the end of a struck call; a failure has the vendor's own form. */
const answerOf = <Account, Code extends string>(
  { failure }: VendorRoutes<Account, Code>,
  { answer }: Struck
): SimulatedAnswer | undefined => (answer?.status === 500 ? failure : answer)

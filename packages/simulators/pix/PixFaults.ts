import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import type { Landings } from "../kit/Landings.ts"
import type { Call, Handler, SimulatedAnswer } from "../kit/Routes.ts"
import { signedWebhookFaults } from "../kit/SignedWebhooks.ts"
import { lostCallNames, strikeAfter, strikeBefore } from "../kit/Strikes.ts"
import type { Account, Accounts } from "./Accounts.ts"
import { type NamedCall, namedCall, strikeLanding } from "./LandingFaults.ts"
import { type PixRefusal, pixError, pixRefusals } from "./PixErrors.ts"

/**
 * Every fault by name, beside refusals, lost calls and webhooks: `slow` answers after `value` milliseconds;
 * `paid_after`, `failed_after` and `approved_after` change a new charge after `value` milliseconds; `wrong_amount` and
 * `wrong_external_id` show a charge as another; `unreadable_amount` writes its amount as a text; `stuck_cancel` accepts
 * a cancel and never confirms it; `payment_failed` fails an agent's payment, `authorized_after` and `rejected_after`
 * decide an authorization. `lands_late` cuts the connection of a create, which then takes effect after `value`
 * milliseconds: until then it is not found, and a repeat is refused. `lagging_lookup` does not find by the caller's id
 * a thing made less than `value` milliseconds ago.
 */
export const pixFaultNames = [
  ...pixRefusals,
  ...lostCallNames,
  ...signedWebhookFaults,
  "slow",
  "paid_after",
  "failed_after",
  "approved_after",
  "wrong_amount",
  "wrong_external_id",
  "unreadable_amount",
  "stuck_cancel",
  "payment_failed",
  "authorized_after",
  "rejected_after",
  "lands_late",
  "lagging_lookup"
] as const

/** The result of a route, with the facts for the log. */
export interface Done {
  readonly answer: SimulatedAnswer
  readonly outcome: string
  readonly facts?: Readonly<Record<string, unknown>>
}

/** Makes a refusal and its name in the log. */
export const refuse = (code: PixRefusal, message?: string, facts?: Done["facts"]): Done => ({
  answer: pixError(code, message),
  outcome: code,
  ...(facts === undefined ? undefined : { facts })
})

/** The services of a vendor's routes. */
export interface RouteContext {
  readonly log: CallLog
  readonly faults: Faults
  readonly accounts: Accounts
  readonly landings: Landings
}

/** Makes a route: credential, faults before its effect, the effect, faults after it; the log records the result. */
export const routeOf =
  ({ accounts, faults, landings, log }: RouteContext) =>
  (
    operation: string,
    handle: (call: Call, account: Account) => Done | Promise<Done>,
    kind?: NamedCall["kind"]
  ): Handler =>
  async (call) => {
    const note = (outcome: string, facts: object = {}) => log.add(operation, { outcome, ...facts })
    const slow = faults.hit(["slow"], { operation })
    if (slow !== undefined) await new Promise((resolve) => setTimeout(resolve, slow.value ?? 1000))
    const account = accounts.of(call)
    if (account === undefined) {
      note("credentials_invalid")
      return pixError("credentials_invalid")
    }
    const struck = strikeBefore(faults, pixRefusals, refuseBy, operation, call)
    if (struck !== undefined) {
      note(struck.name)
      return struck.answer
    }
    const named = kind === undefined ? undefined : namedCall(operation, account, call, kind)
    const run = async () => {
      const done = await handle(call, account)
      if (named !== undefined && done.outcome === "made") landings.landed(named.name)
      return done
    }
    if (named !== undefined) {
      const strayed = strikeLanding(landings, faults, named, call, () => {
        void run().then(({ facts, outcome }) => note(outcome, { ...facts, landed: true }))
      })
      if (strayed !== undefined) {
        note(strayed.name, { external_id: named.external_id })
        return strayed.answer
      }
    }
    const { answer, facts, outcome } = await run()
    const struckAfter = strikeAfter(faults, operation, call)
    note(struckAfter?.name ?? outcome, { ...facts, idempotency_key: call.headers["idempotency-key"] ?? null })
    return struckAfter === undefined ? answer : struckAfter.answer
  }

const refuseBy = (code: PixRefusal, value: number | undefined) => pixError(code, "simulated", value)

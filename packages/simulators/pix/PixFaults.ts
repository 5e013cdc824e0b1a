import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import type { Landings } from "../kit/Landings.ts"
import type { Answered, Call, Handler } from "../kit/Routes.ts"
import { signedWebhookFaults } from "../kit/SignedWebhooks.ts"
import { lostCallNames, strikeAfter, strikeBefore } from "../kit/Strikes.ts"
import type { Account, Accounts } from "./Accounts.ts"
import { type NamedCall, namedCall, strikeLanding } from "./LandingFaults.ts"
import { type PixRefusal, pixError, pixRefusals } from "./PixErrors.ts"

/**
 * Every fault by name, beside refusals, lost calls and webhooks: `slow` answers after `value` milliseconds; `paid_after`,
 * `failed_after` and `approved_after` move a new charge by itself after `value` milliseconds; `wrong_amount` and
 * `wrong_external_id` show a charge as another; `unreadable_amount` writes its amount as a text; `stuck_cancel` takes a cancel and never confirms it; `payment_failed`
 * fails an agent's payment, `authorized_after` and `rejected_after` decide an authorization. `lands_late` cuts the connection
 * of a create, which then happens after `value` milliseconds: until then it is not found, and a repeat is refused.
 * `lagging_lookup` does not find by our id what was made less than `value` milliseconds ago.
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

/** What a route did, and what the log says of it. */
export interface Done {
  readonly answer: Answered
  readonly outcome: string
  readonly facts?: Readonly<Record<string, unknown>>
}

/** A refusal and its name in the log. */
export const refuse = (code: PixRefusal, message?: string, facts?: Done["facts"]): Done => ({
  answer: pixError(code, message),
  outcome: code,
  ...(facts === undefined ? undefined : { facts })
})

/** What the routes of a vendor stand on. */
export interface RouteGround {
  readonly log: CallLog
  readonly faults: Faults
  readonly accounts: Accounts
  readonly landings: Landings
}

/** A route: credential, faults before, what it does, faults after; the log has how it went. */
export const routeOf =
  ({ accounts, faults, landings, log }: RouteGround) =>
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

import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { defineWorker, passing } from "@carteiro/owners/Worker.ts"
import { ConnectedNumber } from "@carteiro/provider/NumberHealth.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { type NumberStanding, type NumberTrigger, nextStatus } from "../number/NumberState.ts"
import { activateNumber, completeRelease, failNumber, lookAgainAt } from "../number/NumberWrites.ts"
import { verifyNumber } from "./ImportedWrites.ts"
import { type LivingNumber, NumberLifecycleRepo } from "./NumberLifecycleRepo.ts"
import { verificationEndsAt, verifyAgainAt } from "./Verification.ts"

/**
 * The owner of one number's (`pn_…`) lifecycle: it makes the changes that time or a provider triggers. Changes by
 * routes are conditional updates. gaps-2 K "State machine"
 */
export const NumberLifecycleWorker = defineWorker("NumberLifecycle")

/** The pause after a commit that was not written, in milliseconds. */
const afterRefusalMs = 1000

export const numberLifecycleOwners = NumberLifecycleWorker.toLayer(
  Effect.gen(function* () {
    const repo = yield* NumberLifecycleRepo
    const connected = yield* ConnectedNumber

    /** Returns the rows of a number's next step, and when it is due again. */
    const step = Effect.fnUntraced(function* (number: LivingNumber, now: number) {
      const { environment_id, id, status } = number
      const place = { environment_id, id, from_status: status, updated_at: now }
      const again = (due_at: number) => ({ rows: [lookAgainAt.row({ ...place, due_at })], next: due_at })
      if (number.environment === "sandbox" && becomesActive(number)) {
        return { rows: [activateNumber.row({ ...place, biz_account_id: null })] }
      }
      if (status === "release_requested") return { rows: [completeRelease.row(place)] }
      const isImported = status === "provisioned" && number.source === "byon"
      if ((status !== "verifying" && !isImported) || number.upstream_phone_number_id === null) return nothing
      const asked = { environment_id, upstream_phone_number_id: number.upstream_phone_number_id }
      const account = yield* connected(asked)
      if (isImported) {
        if (account !== undefined) return { rows: [verifyNumber.row(place)], next: now }
        // The number stays with the customer; connecting an account makes it due again.
        return now < verificationEndsAt(number.created_at)
          ? again(verifyAgainAt(number.created_at, now))
          : { rows: [lookAgainAt.row({ ...place, due_at: null })] }
      }
      if (account !== undefined) {
        return { rows: [activateNumber.row({ ...place, biz_account_id: account.biz_account_id })] }
      }
      if (now < verificationEndsAt(number.created_at)) return again(verifyAgainAt(number.created_at, now))
      return { rows: [failNumber.row({ ...place, ...notRegistered })] }
    })

    return passing(
      Effect.fnUntraced(function* (owner: OwnerHandle) {
        const number = yield* repo.find(owner.id)
        if (number === undefined || number.due_at === null) return undefined
        if (number.due_at > owner.now()) return number.due_at
        const { next, rows } = yield* step(number, owner.now())
        if (rows.length === 0) return undefined
        const { statuses } = yield* owner.commit([{ rows }])
        return statuses[0] === "committed" ? next : owner.now() + afterRefusalMs
      })
    )
  })
)

interface Step {
  readonly rows: ReadonlyArray<Row>
  readonly next?: number
}

const nothing: Step = { rows: [] }

/** The triggers that a sandbox number passes at once. gaps-2 K "State machine" */
const simulated: ReadonlyArray<NumberTrigger> = ["order", "deliver", "register", "activate"]

/** True when the triggers that apply make a number under way active. */
const becomesActive = (number: NumberStanding): boolean =>
  number.status !== "active" &&
  simulated.reduce<NumberStanding["status"]>(
    (status, trigger) => nextStatus({ source: number.source, status }, trigger) ?? status,
    number.status
  ) === "active"

/** gaps-2 K "State machine" */
const notRegistered = {
  error_code: "upstream_registration_required",
  error_message:
    "No connection of this environment reached the number within 24 hours; register it and connect it again."
}

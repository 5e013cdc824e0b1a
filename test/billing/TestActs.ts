import { defineAccountAct, HostedActs, handleAct, type RulesOf } from "@carteiro/runtime/billing/account/AccountAct.ts"
import { actCallers } from "@carteiro/runtime/billing/owner/ActCallers.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { InsufficientBalance } from "@carteiro/schema/billing/BillingErrors.ts"
import { Effect, Layer, Schema } from "effect"

const nullableText = Schema.NullOr(Schema.String)

/** A reservation as a room would ask for it; amount in 1/10,000 BRL. */
const HoldRequest = Schema.Struct({
  id: Schema.String,
  amount: Schema.Int,
  meter_id: Schema.String,
  source_type: Schema.Literals(["payment_fee_hold", "phone_month"]),
  project_id: nullableText,
  environment_id: nullableText,
  trace_id: nullableText,
  payment: Schema.NullOr(
    Schema.Struct({ object: Schema.Literals(["payment_request", "agentic_payment"]), id: Schema.String })
  )
})

const ReservationState = Schema.Literals(["open", "settled", "released", "unknown"])
type ReservationState = typeof ReservationState.Type

const EndRequest = Schema.Struct({ id: Schema.String })

/** Sets credit aside and nothing else; 402 when the balance of a production account does not cover it. */
export const testHold = defineAccountAct("test.hold", { request: HoldRequest, result: ReservationState })

/** Charge a reservation, or give it back, and nothing else. */
export const testSettle = defineAccountAct("test.settle", { request: EndRequest, result: ReservationState })
export const testRelease = defineAccountAct("test.release", { request: EndRequest, result: ReservationState })

const named = { reservations: ({ id }: { readonly id: string }) => [id], read: () => Effect.void }

const holdRules = Effect.succeed({
  ...named,
  decide: (request, _facts, change) => {
    const known = change.reservation(request.id)
    if (known !== undefined) return { _tag: "Answer", result: known.state }
    if (change.account.environment === "production" && change.balance() < request.amount) {
      return { _tag: "Refuse", error: new InsufficientBalance() }
    }
    change.hold(request)
    return { _tag: "Write", result: "open" }
  }
} satisfies RulesOf<typeof testHold, void>)

const endRules = (end: "settle" | "release", ended: ReservationState) =>
  Effect.succeed({
    ...named,
    decide: ({ id }, _facts, change) => {
      const state = change.reservation(id)?.state ?? "unknown"
      if (state !== "open") return { _tag: "Answer", result: state }
      change[end](id)
      return { _tag: "Write", result: ended }
    }
  } satisfies RulesOf<typeof testSettle, void>)

/** Handlers of the test acts, as a room lists its own. */
export const testActs = [
  handleAct(testHold, holdRules),
  handleAct(testSettle, endRules("settle", "settled")),
  handleAct(testRelease, endRules("release", "released"))
] as const

/** The owners of room billing with the test acts. */
export const billingOwners = Layer.merge(
  Layer.provide(billingRoom.owners, HostedActs.layer(testActs)),
  actCallers(testActs)
)

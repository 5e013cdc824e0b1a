import type { CardCharge, CardProvider, CardRefused, CardUnknown } from "@carteiro/provider/payments/CardProvider.ts"
import { Effect } from "effect"
import type Stripe from "stripe"
import { authenticationPageOf, declineOf, externalIdOf, lostCentavos, readCharge } from "./StripeAnswers.ts"
import type { StripeCall } from "./StripeClient.ts"

const unknown: CardUnknown = { _tag: "Unknown" }
const absent = { _tag: "Absent" } as const

/** A page of a customer's list, and the most pages that one look-up reads. */
const pageSize = 100
const mostPages = 20
/** How far Stripe's clock may be from ours, in milliseconds; charges that are older are not ours. */
const clockMs = 86_400_000

/** Makes charges, and finds them again. */
export const chargesBy = (
  call: StripeCall
): Pick<CardProvider, "charge" | "chargeById" | "chargeOf" | "authenticationPage"> => {
  /** Returns a charge as its disputes leave it. */
  const settled = Effect.fnUntraced(function* (json: unknown) {
    const seen = readCharge(json)
    if (seen === undefined) return unknown
    const { charge, isDisputed, refunded_centavos } = seen
    if (charge.status !== "succeeded") return charge
    const disputes = isDisputed
      ? yield* call((stripe) => stripe.disputes.list({ payment_intent: charge.id, limit: 100 }))
      : undefined
    const lost = disputes === undefined ? 0 : disputes._tag === "Body" ? lostCentavos(disputes.body) : undefined
    if (lost === undefined) return unknown
    const isReturned = charge.amount_centavos > 0 && refunded_centavos + lost >= charge.amount_centavos
    return isReturned ? ({ ...charge, status: "refunded" } satisfies CardCharge) : charge
  })

  return {
    charge: Effect.fnUntraced(function* ({ external_id, ...order }) {
      const answer = yield* call((stripe) =>
        stripe.paymentIntents.create(
          {
            amount: order.amount_centavos,
            currency: "brl",
            customer: order.customer,
            payment_method: order.payment_method,
            // Without the type Stripe also offers what it is set up for in its own pages.
            allowed_payment_method_types: ["card"],
            confirm: true,
            off_session: order.off_session,
            return_url: order.return_url,
            metadata: { external_id },
            expand: ["latest_charge"]
          },
          { idempotencyKey: external_id }
        )
      )
      if (answer._tag === "Body") return yield* settled(answer.body)
      if (answer._tag === "Absent") return { _tag: "Refused", code: "not_found", decline_code: null }
      return answer._tag === "StripeRefusal" ? declined(answer, external_id) : answer
    }),

    chargeById: Effect.fnUntraced(function* (id) {
      const answer = yield* call((stripe) => stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] }))
      if (answer._tag === "Body") return yield* settled(answer.body)
      return answer._tag === "StripeRefusal" ? answer.refusal : answer
    }),

    // The list of a customer shows a charge at once; the search by metadata lags.
    chargeOf: Effect.fnUntraced(function* (externalId, { customer, ordered_at }) {
      const since = Math.max(0, Math.floor((ordered_at - clockMs) / 1000))
      let after: string | undefined
      let isNamed = true
      for (let page = 0; page < mostPages; page++) {
        const params: Stripe.PaymentIntentListParams = {
          customer,
          created: { gte: since },
          limit: pageSize,
          expand: ["data.latest_charge"],
          ...(after === undefined ? undefined : { starting_after: after })
        }
        const answer = yield* call((stripe) => stripe.paymentIntents.list(params))
        if (answer._tag === "StripeRefusal") return answer.refusal
        if (answer._tag !== "Body" || !Array.isArray(answer.body.data)) return unknown
        const { data, has_more } = answer.body
        // A list of others says nothing about this customer's charges.
        if (data.some((one) => readCharge(one)?.charge.customer !== customer)) return unknown
        const own = best(data.filter((one) => externalIdOf(one) === externalId))
        if (own !== undefined) return yield* settled(own)
        // A charge without any id of ours may be the one that is looked for.
        isNamed &&= data.every((one) => externalIdOf(one) !== null)
        if (has_more !== true) return has_more === false && isNamed ? absent : unknown
        after = data.at(-1)?.id
        if (after === undefined) return unknown
      }
      return unknown
    }),

    authenticationPage: ({ id }) =>
      Effect.map(
        call((stripe) => stripe.paymentIntents.retrieve(id)),
        (answer) => (answer._tag === "Body" ? authenticationPageOf(answer.body) : undefined)
      )
  }
}

/** Returns the charge with our id that took most: one that is paid before one that waits, and both before a failed one. */
const best = (own: ReadonlyArray<Stripe.PaymentIntent>): Stripe.PaymentIntent | undefined =>
  own.toSorted((one, other) => rankOf(other) - rankOf(one))[0]

const rankOf = (json: unknown): number => {
  const status = readCharge(json)?.charge.status
  if (status === undefined) return 1
  return status === "succeeded" ? 3 : status === "failed" ? 0 : 2
}

/** A declined card comes as an error with the charge in it. */
const declined = (
  { intent, refusal }: { readonly intent: unknown; readonly refusal: CardRefused },
  externalId: string
): CardCharge | CardRefused => {
  const charge = readCharge(intent)?.charge
  if (charge?.status !== "failed" || charge.external_id !== externalId || refusal.decline_code === null) return refusal
  return { ...charge, decline_code: declineOf(refusal) }
}

import { Calls } from "@carteiro/outbound/Calls.ts"
import type { CardPages, CardProvider, ProcessorCard } from "@carteiro/provider/payments/CardProvider.ts"
import { Effect } from "effect"
import { madeBy, readBy, readCard, readCollected, readPage, readSetup } from "./StripeAnswers.ts"
import { chargesBy } from "./StripeCharges.ts"
import { type StripeCall, type StripeOptions, stripeCalls } from "./StripeClient.ts"
import { customerBy } from "./StripeCustomers.ts"

export { loadStripe } from "./StripeClient.ts"

/** Stripe as the card processor. gaps-3 G "cardproc calls", decision 0160 */
export const makeStripe = (options: StripeOptions): Effect.Effect<CardProvider, never, Calls> =>
  Effect.map(Calls, (calls): CardProvider => {
    const call = stripeCalls(calls, options)
    return {
      customer: customerBy(call),
      setup: (customer) =>
        Effect.map(
          call((stripe) =>
            stripe.setupIntents.create({ customer, usage: "off_session", allowed_payment_method_types: ["card"] })
          ),
          madeBy(readSetup)
        ),
      pages: pagesBy(call),
      ...cardsBy(call),
      ...chargesBy(call),
      proveCredential: Effect.map(
        call((stripe) => stripe.paymentIntents.list({ limit: 1 })),
        (answer) => {
          if (answer._tag === "Body") return "accepted"
          return answer._tag === "StripeRefusal" && answer.refusal.code === "credentials_invalid"
            ? "refused"
            : "unknown"
        }
      )
    }
  })

const cardsBy = (call: StripeCall): Pick<CardProvider, "card" | "attach" | "detach"> => {
  const card: CardProvider["card"] = (id) =>
    Effect.map(
      call((stripe) => stripe.paymentMethods.retrieve(id)),
      readBy(readCard)
    )

  /** Moves a card that is not yet as wanted: Stripe refuses to attach or detach a card twice. */
  const move = (
    isDone: (card: ProcessorCard, customer: string) => boolean,
    change: (id: string, customer: string) => Effect.Effect<Effect.Success<ReturnType<CardProvider["card"]>>>
  ): CardProvider["attach"] =>
    Effect.fnUntraced(function* (id, customer) {
      const present = yield* card(id)
      if (present._tag !== "Card" || isDone(present, customer)) return present
      const changed = yield* change(id, customer)
      if (changed._tag !== "Refused" || changed.decline_code !== null || changed.code === "credentials_invalid") {
        return changed
      }
      // Another call may have done it meanwhile.
      const after = yield* card(id)
      return after._tag === "Card" && isDone(after, customer) ? after : { ...changed, code: "card_unusable" }
    })

  return {
    card,
    attach: move(
      (present, customer) => present.customer === customer,
      (id, customer) =>
        Effect.map(
          call((stripe) => stripe.paymentMethods.attach(id, { customer })),
          readBy(readCard)
        )
    ),
    // Stripe forgets a detached card, which cannot be attached again.
    detach: move(
      (present, customer) => present.customer !== customer,
      (id) =>
        Effect.map(
          call((stripe) => stripe.paymentMethods.detach(id)),
          readBy(readCard)
        )
    )
  }
}

/** Stripe writes the page's id in place of these words. */
const pageId = "{CHECKOUT_SESSION_ID}"

const pagesBy = (call: StripeCall): CardPages => ({
  begin: (customer, { cancel_url, return_url }) =>
    Effect.map(
      call((stripe) =>
        stripe.checkout.sessions.create({
          mode: "setup",
          customer,
          allowed_payment_method_types: ["card"],
          // The URL is not encoded: Stripe looks for the words as they are.
          success_url: `${return_url}${return_url.includes("?") ? "&" : "?"}collected=${pageId}`,
          cancel_url
        })
      ),
      madeBy(readPage)
    ),
  card: (id) =>
    Effect.map(
      call((stripe) => stripe.checkout.sessions.retrieve(id, { expand: ["setup_intent.payment_method"] })),
      readBy(readCollected)
    )
})

import type {
  CardAbsent,
  CardCharge,
  CardProvider,
  CardRefused,
  CardUnknown
} from "@carteiro/provider/payments/CardProvider.ts"
import { Effect } from "effect"
import type { Charge, ChargeSeen } from "./Charge.ts"

/** Units of an amount in one centavo. */
const unitsPerCentavo = 100

/**
 * Asks the processor about a charge: one that went there is looked up by its id or ours, and only one that it does not have is
 * charged, under our id, so that it is charged once. After its time it is looked up alone. gaps-3 E "Auto top-up execution"
 */
export const lookAtCard = Effect.fnUntraced(function* (
  provider: CardProvider,
  charge: Charge,
  now: number
): Effect.fn.Return<ChargeSeen> {
  const { card, customer, id, off_session, provider_charge_id } = charge
  if (card === null || customer === null) return { _tag: "Failed", facts: {}, decline_code: null }
  const known =
    provider_charge_id !== null
      ? yield* provider.chargeById(provider_charge_id)
      : charge.called_at !== null
        ? yield* provider.chargeOf(id)
        : absent
  const mayCharge = charge.state === "open" && provider_charge_id === null && now < charge.expires_at
  if (known._tag !== "Absent" || !mayCharge) return seenOf(charge, known, false)
  const order = { external_id: id, customer, payment_method: card, off_session, amount_centavos: centavosOf(charge) }
  return seenOf(charge, yield* provider.charge(order), true)
})

/** What providers count in. */
export const centavosOf = ({ amount }: Pick<Charge, "amount">): number => amount / unitsPerCentavo

const absent: CardAbsent = { _tag: "Absent" }

const seenOf = (
  charge: Charge,
  answer: CardCharge | CardAbsent | CardRefused | CardUnknown,
  isOrder: boolean
): ChargeSeen => {
  switch (answer._tag) {
    case "Absent":
      return { _tag: "Absent" }
    case "Unknown":
      return { _tag: "Unknown" }
    case "Refused":
      // A look that is refused says nothing of the charge.
      return isOrder ? { _tag: "Failed", facts: {}, decline_code: answer.decline_code } : { _tag: "Unknown" }
    case "Charge":
      return statusOf(charge, answer)
  }
}

const statusOf = (charge: Charge, answer: CardCharge): ChargeSeen => {
  const isOurs =
    answer.external_id === charge.id &&
    answer.customer === charge.customer &&
    answer.amount_centavos === centavosOf(charge)
  if (!isOurs) return { _tag: "Foreign" }
  const facts = { provider_charge_id: answer.id, client_secret: answer.client_secret }
  switch (answer.status) {
    case "succeeded":
      return { _tag: "Paid", facts }
    case "refunded":
      return { _tag: "Refunded", facts }
    case "failed":
      return { _tag: "Failed", facts, decline_code: answer.decline_code ?? "card_declined" }
    case "processing":
      return { _tag: "Waiting", facts }
    case "requires_action":
      return charge.off_session
        ? { _tag: "Failed", facts, decline_code: "authentication_required" }
        : { _tag: "Waiting", facts }
  }
}

import type {
  CardAbsent,
  CardCharge,
  CardProvider,
  CardRefused,
  CardUnknown
} from "@carteiro/provider/payments/CardProvider.ts"
import { Effect } from "effect"
import { type Charge, type ChargeSeen, isFirstCall, mayCall } from "./Charge.ts"

/** Units of an amount in one centavo. */
const unitsPerCentavo = 100

/**
 * Asks the processor about a charge. When the processor may have it, it is looked up; otherwise it is made under our id,
 * so that it is made once. After its deadline it is only looked up. gaps-3 E "Auto top-up execution"
 */
export const lookAtCard = Effect.fnUntraced(function* (
  provider: CardProvider,
  charge: Charge,
  now: number,
  returnUrl: string
): Effect.fn.Return<ChargeSeen> {
  const { card, customer, id, off_session } = charge
  if (card === null || customer === null) return unpayable
  if (!mayCall(charge, now)) return yield* lookUpCard(provider, charge)
  const order = {
    external_id: id,
    customer,
    payment_method: card,
    off_session,
    amount_centavos: centavosOf(charge),
    return_url: returnUrl
  }
  return seenOf(charge, yield* provider.charge(order), true)
})

/** Looks a charge up by the processor's id, or by ours among the charges of its customer. */
export const lookUpCard = Effect.fnUntraced(function* (
  provider: CardProvider,
  charge: Charge
): Effect.fn.Return<ChargeSeen> {
  const { created_at, customer, id, provider_charge_id } = charge
  if (customer === null) return unpayable
  const found =
    provider_charge_id === null
      ? provider.chargeOf(id, { customer, ordered_at: created_at })
      : provider.chargeById(provider_charge_id)
  return seenOf(charge, yield* found, false)
})

/** A charge without a card at the processor. */
const unpayable: ChargeSeen = { _tag: "Failed", facts: {}, decline_code: null }

/** Returns the amount in centavos, the unit of providers. */
export const centavosOf = ({ amount }: Pick<Charge, "amount">): number => amount / unitsPerCentavo

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
      return refusalOf(charge, answer.decline_code, isOrder)
    case "Charge":
      return statusOf(charge, answer)
  }
}

/**
 * Returns the meaning of a refusal for a charge: only the refusal of its first call ends the charge; the refusal of a
 * look-up tells nothing.
 */
export const refusalOf = (charge: Charge, decline_code: string | null, isOrder: boolean): ChargeSeen => {
  if (!isOrder) return { _tag: "Unknown" }
  return isFirstCall(charge) ? { _tag: "Failed", facts: {}, decline_code } : { _tag: "RepeatRefused", decline_code }
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
      return { _tag: "Undecided", facts }
    case "requires_action":
      return charge.off_session
        ? { _tag: "Failed", facts, decline_code: "authentication_required" }
        : { _tag: "Waiting", facts }
  }
}

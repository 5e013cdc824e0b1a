/** A card of test mode: how its charges end, and how it looks. */
export interface TestCard {
  /** The letter by which an id remembers the card. */
  readonly mark: string
  readonly behaviour: "ok" | "declined" | "authentication"
  readonly last4: string
  readonly brand: "visa" | "mastercard"
  /** The reason of a decline; null when the card is not declined. */
  readonly decline: Decline | null
  /** False when the card is declined as soon as it is attached. */
  readonly isAttachable: boolean
  /** The cardholder's bank disputes each charge. */
  readonly isDisputed: boolean
  /** How a refund begins, and how it ends later. */
  readonly refund: "succeeded" | "pending" | "failed"
}

/** Why a card was declined. */
export interface Decline {
  readonly code: "card_declined" | "expired_card" | "incorrect_cvc" | "processing_error"
  readonly decline_code: string
  readonly message: string
}

/** Returns the decline of a cardholder's bank. */
export const declineOf = (decline_code: string, message = "Your card was declined."): Decline => ({
  code: "card_declined",
  decline_code,
  message
})

const insufficientFunds = declineOf("insufficient_funds", "Your card has insufficient funds.")
const genericDecline = declineOf("generic_decline")

const plain = {
  behaviour: "ok",
  brand: "visa",
  decline: null,
  isAttachable: true,
  isDisputed: false,
  refund: "succeeded"
}
const card = (mark: string, last4: string, more: Partial<TestCard> = {}): TestCard => ({
  ...(plain as Omit<TestCard, "mark" | "last4">),
  mark,
  last4,
  ...more
})
const declined = (mark: string, last4: string, decline: Decline, isAttachable = false): TestCard =>
  card(mark, last4, { behaviour: "declined", decline, isAttachable })

/** The cards that every customer may hold under one id, with a suffix for more of a kind: `pm_card_ok_2`. */
export const sharedCards: Readonly<Record<string, TestCard>> = {
  pm_card_ok: card("a", "4242"),
  pm_card_declined: declined("b", "0002", insufficientFunds, true),
  pm_card_authentication: card("c", "3155", { behaviour: "authentication" }),
  pm_card_unfinished: declined("d", "0119", genericDecline)
}

/** Stripe's own test cards by their names; attached, each becomes a payment method of its own. */
const stripeCards: Readonly<Record<string, TestCard>> = {
  pm_card_visa: card("e", "4242"),
  pm_card_mastercard: card("f", "4444", { brand: "mastercard" }),
  pm_card_authenticationRequired: card("g", "3184", { behaviour: "authentication" }),
  pm_card_chargeCustomerFail: declined("h", "0341", genericDecline, true),
  pm_card_visa_chargeDeclined: declined("i", "0002", genericDecline),
  pm_card_visa_chargeDeclinedInsufficientFunds: declined("j", "9995", insufficientFunds),
  pm_card_visa_chargeDeclinedLostCard: declined("k", "9987", declineOf("lost_card")),
  pm_card_visa_chargeDeclinedStolenCard: declined("l", "9979", declineOf("stolen_card")),
  pm_card_chargeDeclinedExpiredCard: declined("m", "0069", {
    code: "expired_card",
    decline_code: "expired_card",
    message: "Your card has expired."
  }),
  pm_card_chargeDeclinedProcessingError: declined("n", "0119", {
    code: "processing_error",
    decline_code: "processing_error",
    message: "An error occurred while processing your card. Try again in a little bit."
  }),
  pm_card_createDispute: card("o", "0259", { isDisputed: true }),
  pm_card_pendingRefund: card("p", "7726", { refund: "pending" }),
  pm_card_refundFail: card("q", "5126", { refund: "failed" })
}

const all = [...Object.values(sharedCards), ...Object.values(stripeCards)]

/** Returns the card that an id remembers. */
export const cardByMark = (mark: string): TestCard | undefined => all.find((one) => one.mark === mark)

/** Returns the card that all customers may hold under an id. */
export const sharedCardOf = (id: string): TestCard | undefined => {
  const name = /^(pm_card_[a-z]+)(?:_[a-z0-9]{1,32})?$/.exec(id)?.[1] ?? ""
  return Object.hasOwn(stripeCards, id) || !Object.hasOwn(sharedCards, name) ? undefined : sharedCards[name]
}

/** Returns the card of a name of Stripe's. */
export const stripeCardOf = (id: string): TestCard | undefined =>
  Object.hasOwn(stripeCards, id) ? stripeCards[id] : undefined

import { Context, type Effect } from "effect"

/** Definitely refused: another try changes nothing. */
export interface CardRefused {
  readonly _tag: "Refused"
  readonly code: string
  /** Why the cardholder's bank does not pay; null when the refusal is not about the card. */
  readonly decline_code: string | null
}

/** No usable answer: whether the call arrived, only a look by our id says. */
export interface CardUnknown {
  readonly _tag: "Unknown"
}

/** The processor has no such thing. */
export interface CardAbsent {
  readonly _tag: "Absent"
}

/** A card as the processor keeps it. gaps-3 G "cardproc calls" */
export interface ProcessorCard {
  readonly _tag: "Card"
  readonly id: string
  /** Whose it is at the processor; null while it is nobody's. */
  readonly customer: string | null
  /** False when collecting it did not succeed: it cannot be charged. */
  readonly isSetUp: boolean
  readonly brand: string | null
  readonly last4: string | null
  readonly exp_month: number | null
  readonly exp_year: number | null
}

/** A card that is being collected; the secret is for the customer's browser alone. C-CARD-06, C-CARD-07 */
export interface CardSetup {
  readonly _tag: "Setup"
  readonly id: string
  readonly client_secret: string | null
}

/** A charge that is asked for; amounts in centavos. */
export interface CardOrder {
  /** Ours, the same for every try, so that the processor charges once. */
  readonly external_id: string
  readonly customer: string
  readonly payment_method: string
  readonly amount_centavos: number
  /** Nobody is there to prove who they are. */
  readonly off_session: boolean
}

/** A charge as the processor shows it. gaps-3 G "cardproc calls" */
export interface CardCharge {
  readonly _tag: "Charge"
  readonly id: string
  readonly external_id: string
  readonly customer: string
  readonly amount_centavos: number
  /** `refunded`: all of it went back, by the shop or by the cardholder's bank. */
  readonly status: "succeeded" | "requires_action" | "processing" | "failed" | "refunded"
  readonly client_secret: string | null
  readonly decline_code: string | null
}

/** Port to the card processor. Each answer is certain, or says that nobody knows. gaps-3 G "Shape of the adapters" */
export interface CardProvider {
  /** The customer of our id, made once however often it is asked for. */
  readonly customer: (
    externalId: string
  ) => Effect.Effect<{ readonly _tag: "Customer"; readonly id: string } | CardRefused | CardUnknown>
  readonly setup: (customer: string) => Effect.Effect<CardSetup | CardRefused | CardUnknown>
  readonly card: (id: string) => Effect.Effect<ProcessorCard | CardAbsent | CardRefused | CardUnknown>
  /** Gives a card to a customer, and takes it away again; repeats change nothing. */
  readonly attach: (
    id: string,
    customer: string
  ) => Effect.Effect<ProcessorCard | CardAbsent | CardRefused | CardUnknown>
  readonly detach: (
    id: string,
    customer: string
  ) => Effect.Effect<ProcessorCard | CardAbsent | CardRefused | CardUnknown>
  readonly charge: (order: CardOrder) => Effect.Effect<CardCharge | CardRefused | CardUnknown>
  readonly chargeById: (id: string) => Effect.Effect<CardCharge | CardAbsent | CardRefused | CardUnknown>
  /** The charge of our id. */
  readonly chargeOf: (externalId: string) => Effect.Effect<CardCharge | CardAbsent | CardRefused | CardUnknown>
}

/** The processor of this installation; undefined when none is set up. gaps-3 G "Provider selected but setting missing" */
export const CardProcessor = Context.Reference<CardProvider | undefined>("@carteiro/provider/payments/CardProcessor", {
  defaultValue: () => undefined
})

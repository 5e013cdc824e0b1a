import { Context, type Effect } from "effect"
import type { WebhookScheme } from "../WebhookScheme.ts"

/** Certainly refused: a retry does not help. */
export interface CardRefused {
  readonly _tag: "Refused"
  /** `card_unusable`: the processor takes this card for nothing any more, and it has to be collected anew. */
  readonly code: string
  /** The reason of the cardholder's bank; null when the refusal is not about the card. */
  readonly decline_code: string | null
}

/** No usable response: only a look-up by the product's id tells whether the call arrived. */
export interface CardUnknown {
  readonly _tag: "Unknown"
}

/** The processor has no such thing. */
export interface CardAbsent {
  readonly _tag: "Absent"
}

/** A card at the processor. gaps-3 G "cardproc calls" */
export interface ProcessorCard {
  readonly _tag: "Card"
  readonly id: string
  /** The customer of the card at the processor; null while it has none. */
  readonly customer: string | null
  /** False when its collection failed, so that it cannot be charged. */
  readonly isSetUp: boolean
  readonly brand: string | null
  readonly last4: string | null
  readonly exp_month: number | null
  readonly exp_year: number | null
}

/** A card in collection; the secret is only for the customer's browser. C-CARD-06, C-CARD-07 */
export interface CardSetup {
  readonly _tag: "Setup"
  readonly id: string
  readonly client_secret: string | null
}

/** A page of the processor on which a cardholder enters a card, so that no script of a vendor runs on our pages. */
export interface CardPage {
  readonly _tag: "Page"
  readonly id: string
  readonly url: string
}

/** Where the browser goes from a page of the processor. */
export interface CardPageExits {
  /** After the card was collected; the processor adds the page's id as the parameter `collected`. */
  readonly return_url: string
  /** When the cardholder gives up. */
  readonly cancel_url: string
}

/** The pages of a processor that collect cards. */
export interface CardPages {
  readonly begin: (customer: string, exits: CardPageExits) => Effect.Effect<CardPage | CardRefused | CardUnknown>
  /** Returns the card that a page collected; absent while there is none. */
  readonly card: (pageId: string) => Effect.Effect<ProcessorCard | CardAbsent | CardRefused | CardUnknown>
}

/** A request for a charge; amounts in centavos. */
export interface CardOrder {
  /** The product's id, equal in every try, so that the processor charges once. */
  readonly external_id: string
  readonly customer: string
  readonly payment_method: string
  readonly amount_centavos: number
  /** True when the cardholder is not present to authenticate. */
  readonly off_session: boolean
  /** Where the cardholder's browser goes after the bank's page; the same in every try. */
  readonly return_url: string
}

/** What is known of a charge whose id at the processor is not. */
export interface CardChargeTrace {
  readonly customer: string
  /** When the charge was ordered first, or earlier, in epoch milliseconds. */
  readonly ordered_at: number
}

/** A charge at the processor. gaps-3 G "cardproc calls" */
export interface CardCharge {
  readonly _tag: "Charge"
  readonly id: string
  readonly external_id: string
  readonly customer: string
  readonly amount_centavos: number
  /** `refunded`: the whole amount was returned, by the shop or by the cardholder's bank. */
  readonly status: "succeeded" | "requires_action" | "processing" | "failed" | "refunded"
  readonly client_secret: string | null
  readonly decline_code: string | null
}

/**
 * Port to the card processor. Each result is certain, or says that the outcome is unknown. gaps-3 G "Shape of the
 * adapters"
 */
export interface CardProvider {
  /** Returns the customer with the product's id, made once however often it is requested. */
  readonly customer: (
    externalId: string
  ) => Effect.Effect<{ readonly _tag: "Customer"; readonly id: string } | CardRefused | CardUnknown>
  readonly setup: (customer: string) => Effect.Effect<CardSetup | CardRefused | CardUnknown>
  /** Undefined for a processor that has no such pages. */
  readonly pages: CardPages | undefined
  readonly card: (id: string) => Effect.Effect<ProcessorCard | CardAbsent | CardRefused | CardUnknown>
  /** Attaches a card to a customer, or detaches it; repeats change nothing. */
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
  /** Returns the charge with the product's id. */
  readonly chargeOf: (
    externalId: string,
    trace: CardChargeTrace
  ) => Effect.Effect<CardCharge | CardAbsent | CardRefused | CardUnknown>
  /**
   * Returns the page on which the cardholder authenticates a charge that requires it; undefined when the processor has
   * none. C-PKG-13
   */
  readonly authenticationPage: (
    charge: Pick<CardCharge, "id"> & { readonly client_secret: string }
  ) => Effect.Effect<string | undefined>
  /** Asks the processor whether it accepts our key, by a read that changes nothing. */
  readonly proveCredential: Effect.Effect<"accepted" | "refused" | "unknown">
}

/** The processor of this installation; undefined when none is set up. gaps-3 G "Provider selected but setting missing" */
export const CardProcessor = Context.Reference<CardProvider | undefined>("@carteiro/provider/payments/CardProcessor", {
  defaultValue: () => undefined
})

/** How the processor's webhooks are verified and read; undefined for those of the bridge. */
export const CardWebhooks = Context.Reference<WebhookScheme | undefined>("@carteiro/provider/payments/CardWebhooks", {
  defaultValue: () => undefined
})

import type {
  CardAbsent,
  CardCharge,
  CardPage,
  CardRefused,
  CardSetup,
  CardUnknown,
  ProcessorCard
} from "@carteiro/provider/payments/CardProvider.ts"
import { storableId } from "@carteiro/provider/VendorWords.ts"
import { memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { centavosOf, pageOf, textOf } from "@carteiro/vendor-http/VendorJson.ts"
import type { StripeResult } from "./StripeClient.ts"

const unknown: CardUnknown = { _tag: "Unknown" }
const notFound: CardRefused = { _tag: "Refused", code: "not_found", decline_code: null }

/** A body that misses what is read of it says nothing. */
export const readBy =
  <A, B>(read: (body: A) => B | undefined) =>
  (result: StripeResult<A>): B | CardAbsent | CardRefused | CardUnknown => {
    if (result._tag === "Body") return read(result.body) ?? unknown
    return result._tag === "StripeRefusal" ? result.refusal : result
  }

/** What was to be made cannot be absent: something that it names is. */
export const madeBy =
  <A, B>(read: (body: A) => B | undefined) =>
  (result: StripeResult<A>): B | CardRefused | CardUnknown => {
    const answer = readBy((body: A) => {
      const thing = read(body)
      return thing === undefined ? undefined : { thing }
    })(result)
    if ("thing" in answer) return answer.thing
    return answer._tag === "Absent" ? notFound : answer
  }

/** Returns the id of an object, or of what stands in its place; null for none. */
const idOf = (value: unknown): string | null =>
  storableId(typeof value === "string" ? value : memberOf(value, "id")) ?? null

/** Returns our id of an object. */
export const externalIdOf = (json: unknown): string | null => textOf(memberOf(json, "metadata"), "external_id")

export const readCustomer = (json: unknown): { readonly _tag: "Customer"; readonly id: string } | undefined => {
  const id = idOf(json)
  return id === null || memberOf(json, "deleted") === true ? undefined : { _tag: "Customer", id }
}

export const readSetup = (json: unknown): CardSetup | undefined => {
  const id = idOf(json)
  return id === null ? undefined : { _tag: "Setup", id, client_secret: textOf(json, "client_secret") }
}

/** A payment method of another kind than a card cannot be charged here. */
export const readCard = (json: unknown): ProcessorCard | undefined => {
  const id = idOf(json)
  if (id === null) return undefined
  const card = memberOf(json, "card")
  const month = numberOf(card, "exp_month")
  return {
    _tag: "Card",
    id,
    customer: idOf(memberOf(json, "customer")),
    isSetUp: memberOf(json, "type") === "card",
    brand: textOf(card, "brand"),
    last4: textOf(card, "last4"),
    exp_month: month !== null && month >= 1 && month <= 12 ? month : null,
    exp_year: numberOf(card, "exp_year")
  }
}

export const readPage = (json: unknown): CardPage | undefined => {
  const id = idOf(json)
  const url = pageOf(json, "url")
  return id === null || url === null ? undefined : { _tag: "Page", id, url }
}

/** Returns the card that a page collected; it is absent until the cardholder has confirmed it. */
export const readCollected = (json: unknown): ProcessorCard | CardAbsent | undefined => {
  const setup = memberOf(json, "setup_intent")
  if (memberOf(json, "mode") !== "setup") return { _tag: "Absent" }
  if (memberOf(json, "status") !== "complete" || memberOf(setup, "status") !== "succeeded") return { _tag: "Absent" }
  const card = readCard(memberOf(setup, "payment_method"))
  return card === undefined ? undefined : { ...card, customer: idOf(memberOf(json, "customer")) }
}

/** A charge, and whether its money may have gone back by a dispute: only another read tells. */
export interface SeenCharge {
  readonly charge: CardCharge
  readonly refunded_centavos: number
  readonly isDisputed: boolean
}

/** Reads a charge with its latest payment; undefined for any other value. */
export const readCharge = (json: unknown): SeenCharge | undefined => {
  const id = idOf(json)
  const customer = idOf(memberOf(json, "customer"))
  const amount_centavos = centavosOf(json, "amount")
  const status = statusOf(json)
  if (id === null || customer === null || amount_centavos == null || status === undefined) return undefined
  const payment = memberOf(json, "latest_charge")
  return {
    charge: {
      _tag: "Charge",
      id,
      // A charge that somebody made by hand in this account is not ours.
      external_id: externalIdOf(json) ?? "",
      customer,
      // A charge in another currency is another amount.
      amount_centavos: memberOf(json, "currency") === "brl" ? amount_centavos : -1,
      status,
      client_secret: status === "requires_action" ? textOf(json, "client_secret") : null,
      decline_code: status === "failed" ? declineOf(memberOf(json, "last_payment_error")) : null
    },
    refunded_centavos: numberOf(payment, "amount_refunded") ?? 0,
    isDisputed: memberOf(payment, "disputed") === true
  }
}

/** Returns the money that disputes of a charge took back for good, in centavos; undefined for any other value. */
export const lostCentavos = (json: unknown): number | undefined => {
  const disputes = memberOf(json, "data")
  if (!Array.isArray(disputes)) return undefined
  return disputes
    .filter((dispute) => memberOf(dispute, "status") === "lost")
    .reduce((sum: number, dispute) => sum + (numberOf(dispute, "amount") ?? 0), 0)
}

/** Returns the page on which the cardholder authenticates; undefined when none is needed. */
export const authenticationPageOf = (json: unknown): string | undefined =>
  memberOf(json, "status") === "requires_action"
    ? (pageOf(memberOf(memberOf(json, "next_action"), "redirect_to_url"), "url") ?? undefined)
    : undefined

/**
 * Returns the status of a charge in the port's words. A charge is confirmed when it is made, so that one that needs
 * another card has been declined.
 */
const statusOf = (json: unknown): CardCharge["status"] | undefined => {
  switch (memberOf(json, "status")) {
    case "succeeded":
      return "succeeded"
    case "requires_action":
      return "requires_action"
    case "processing":
    case "requires_capture":
    case "requires_confirmation":
      return "processing"
    case "requires_payment_method":
    case "canceled":
      return "failed"
    default:
      return undefined
  }
}

/** Codes of Stripe about a cardholder who did not authenticate. */
const unauthenticated: ReadonlySet<string | null> = new Set(["payment_intent_authentication_failure"])

/** Returns why a charge was declined. */
export const declineOf = (error: unknown): string | null => {
  const code = textOf(error, "decline_code") ?? textOf(error, "code")
  return unauthenticated.has(code) ? "authentication_failed" : code
}

const numberOf = (json: unknown, name: string): number | null => centavosOf(json, name) ?? null

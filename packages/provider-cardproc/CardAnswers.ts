import type {
  CardAbsent,
  CardCharge,
  CardRefused,
  CardSetup,
  CardUnknown,
  ProcessorCard
} from "@carteiro/provider/payments/CardProvider.ts"
import { codeOf, idOf, jsonOf, memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import type { VendorResult } from "@carteiro/vendor-http/VendorCalls.ts"

const unknown: CardUnknown = { _tag: "Unknown" }
const absent: CardAbsent = { _tag: "Absent" }

/** Returns the JSON of a success, or the meaning of any other response. vendor-wires, first paragraph */
const bodyOf = (result: VendorResult): { readonly json: unknown } | CardRefused | CardUnknown | CardAbsent => {
  if (result._tag === "Broken") return unknown
  const { status } = result
  const json = jsonOf(result)
  if (status >= 200 && status < 300) return { json }
  if (status === 404) return absent
  const isCertain = status >= 400 && status < 500 && status !== 408 && status !== 429
  return isCertain ? refusalOf(memberOf(json, "error")) : unknown
}

/** A declined card may also come as a refusal. */
const refusalOf = (error: unknown): CardRefused => {
  const code = codeOf(error)
  const decline_code = textOf(error, "decline_code") ?? (code === "card_declined" ? code : null)
  return { _tag: "Refused", code, decline_code }
}

const notFound: CardRefused = { _tag: "Refused", code: "not_found", decline_code: null }

const asRefused = <A extends object>(answer: A | CardAbsent): A | CardRefused =>
  "_tag" in answer && answer._tag === "Absent" ? notFound : (answer as A)

/** `POST /v1/customers` */
export const customerOf = (result: VendorResult) => {
  const answer = asRefused(bodyOf(result))
  if ("_tag" in answer) return answer
  const id = textOf(answer.json, "id")
  return id === null ? unknown : { _tag: "Customer" as const, id }
}

/** `POST /v1/setup_intents` */
export const setupOf = (result: VendorResult): CardSetup | CardRefused | CardUnknown => {
  const answer = asRefused(bodyOf(result))
  if ("_tag" in answer) return answer
  const id = textOf(answer.json, "id")
  return id === null ? unknown : { _tag: "Setup", id, client_secret: textOf(answer.json, "client_secret") }
}

/** States of a card's collection in which it can be charged; a processor that names none has collected it. */
const collected: ReadonlySet<unknown> = new Set(["succeeded", "active", undefined, null])

/** `GET /v1/payment_methods/{id}`, `/attach`, `/detach` */
export const cardOf = (result: VendorResult): ProcessorCard | CardAbsent | CardRefused | CardUnknown => {
  const answer = bodyOf(result)
  if ("_tag" in answer) return answer
  const { json } = answer
  const id = textOf(json, "id")
  if (id === null) return unknown
  const month = wholeOf(json, "exp_month")
  return {
    _tag: "Card",
    id,
    customer: textOf(json, "customer"),
    isSetUp: collected.has(memberOf(json, "setup_status")),
    brand: textOf(json, "brand"),
    last4: textOf(json, "last4"),
    exp_month: month !== null && month >= 1 && month <= 12 ? month : null,
    exp_year: wholeOf(json, "exp_year")
  }
}

const statuses = ["succeeded", "requires_action", "processing", "failed", "refunded"] as const

/**
 * `POST /v1/payment_intents`. A response about a key in use says that another call is running, and nothing about the
 * charge.
 */
export const chargedOf = (result: VendorResult): CardCharge | CardRefused | CardUnknown => {
  const answer = asRefused(chargeOf(result))
  return answer._tag === "Refused" && answer.code === "idempotency_key_in_use" ? unknown : answer
}

/** `GET /v1/payment_intents/{id}` */
export const chargeOf = (result: VendorResult): CardCharge | CardAbsent | CardRefused | CardUnknown => {
  const answer = bodyOf(result)
  return "_tag" in answer ? answer : readCharge(answer.json)
}

/**
 * `GET /v1/payment_intents?external_id=`: an empty list means absence. A list of other charges says nothing about this
 * one: the processor did not search by the id.
 */
export const foundOf =
  (externalId: string) =>
  (result: VendorResult): CardCharge | CardAbsent | CardRefused | CardUnknown => {
    const answer = bodyOf(result)
    if ("_tag" in answer) return answer
    const listed = memberOf(answer.json, "data")
    if (!Array.isArray(listed)) return readCharge(answer.json)
    const own = listed.find((one) => memberOf(one, "external_id") === externalId)
    if (own !== undefined) return readCharge(own)
    return listed.length === 0 ? absent : unknown
  }

/** Any success proves the credential; a processor that refuses it answers 401 or 403. */
export const proofOf = (result: VendorResult): "accepted" | "refused" | "unknown" => {
  if (result._tag === "Broken") return "unknown"
  if (result.status === 401 || result.status === 403) return "refused"
  return result.status >= 200 && result.status < 300 ? "accepted" : "unknown"
}

const readCharge = (json: unknown): CardCharge | CardUnknown => {
  const id = idOf(json)
  const external_id = textOf(json, "external_id")
  const customer = textOf(json, "customer")
  const amount_centavos = wholeOf(json, "amount_centavos")
  const status = statuses.find((one) => one === memberOf(json, "status"))
  if (
    id === undefined ||
    external_id === null ||
    customer === null ||
    amount_centavos === null ||
    status === undefined
  ) {
    return unknown
  }
  return {
    _tag: "Charge",
    id,
    external_id,
    customer,
    amount_centavos,
    status,
    client_secret: textOf(json, "client_secret"),
    decline_code: textOf(json, "decline_code")
  }
}

const textOf = (json: unknown, name: string): string | null => {
  const value = memberOf(json, name)
  return typeof value === "string" && value !== "" ? value : null
}

const wholeOf = (json: unknown, name: string): number | null => {
  const value = memberOf(json, name)
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}

import type {
  AvailableNumber,
  InventoryNumber,
  InventoryPage,
  NumberCall,
  ProviderOrder
} from "@carteiro/provider/NumberProvider.ts"
import { storableId } from "@carteiro/provider/VendorWords.ts"
import { idOf, jsonOf, memberOf, noAnswer } from "@carteiro/vendor-http/VendorAnswers.ts"
import type { VendorResult } from "@carteiro/vendor-http/VendorCalls.ts"

/**
 * Returns the meaning of a response; a success that cannot be read leaves the outcome open. vendor-wires, first
 * paragraph
 */
export const answerOf = <A>(result: VendorResult, read: (json: unknown) => A | undefined): NumberCall<A> => {
  if (result._tag === "Answered" && result.status >= 200 && result.status < 300) {
    const value = read(jsonOf(result))
    return value === undefined ? { _tag: "Unknown", retry_after_ms: null } : { _tag: "Done", value }
  }
  const none = noAnswer(result)
  return none._tag === "Refused" ? none : { _tag: "Unknown", retry_after_ms: none.retry_after_ms }
}

/** `GET /v1/account` */
export const accountOf = (json: unknown) => {
  const id = textOf(json, "id")
  return id === null ? undefined : { id, name: textOf(json, "name") ?? "" }
}

/** `GET /v1/available` */
export const availableOf = (json: unknown): ReadonlyArray<AvailableNumber> | undefined =>
  listOf(json)?.flatMap((one) => {
    const number = textOf(one, "number")
    const ddd = textOf(one, "ddd")
    const price = memberOf(one, "monthly_price_centavos")
    if (number === null || ddd === null || !isAmount(price)) return []
    return [{ number, ddd, monthly_price_centavos: price, sms: memberOf(one, "sms") !== false }]
  })

const orderStatuses = ["pending", "active", "failed"] as const

/**
 * `POST /v1/orders`. A response about a key in use says that another call is running, and nothing about the order. A
 * call that never began placed no order: it counts as refused, so that it may be repeated.
 */
export const orderedOf = (result: VendorResult): NumberCall<ProviderOrder> => {
  if (result._tag === "Broken" && !result.began) return { _tag: "Refused", code: "unreachable" }
  const answer = answerOf(result, orderOf)
  return answer._tag === "Refused" && answer.code === "idempotency_key_in_use"
    ? { _tag: "Unknown", retry_after_ms: null }
    : answer
}

/** Returns an order from the wire. */
export const orderOf = (json: unknown): ProviderOrder | undefined => {
  const id = idOf(json)
  const external_id = textOf(json, "external_id")
  const status = orderStatuses.find((one) => one === memberOf(json, "status"))
  if (id === undefined || external_id === null || status === undefined) return undefined
  const error = memberOf(json, "error")
  return {
    id,
    external_id,
    status,
    number: textOf(json, "number"),
    number_id: storableId(memberOf(json, "number_id")),
    error: typeof error === "string" ? error : textOf(error, "code")
  }
}

/**
 * `GET /v1/orders?external_id=`: null if there is none. A list of other orders, or one that cannot be read, leaves the
 * outcome open: it must not cause a second order.
 */
export const foundOrderOf =
  (externalId: string) =>
  (json: unknown): ProviderOrder | null | undefined => {
    const list = listOf(json) ?? (textOf(json, "id") === null ? undefined : [json])
    if (list === undefined) return undefined
    if (list.length === 0) return null
    return list.map(orderOf).find((order) => order?.external_id === externalId)
  }

const numberStatuses = ["active", "suspended", "released"] as const

/** `GET /v1/numbers` */
export const inventoryOf = (json: unknown): InventoryPage | undefined => {
  const list = listOf(json)
  return list && { numbers: list.flatMap(numberOf), next: textOf(json, "next_cursor") }
}

const numberOf = (json: unknown): ReadonlyArray<InventoryNumber> => {
  const number_id = storableId(memberOf(json, "number_id"))
  const number = textOf(json, "number")
  const status = numberStatuses.find((one) => one === memberOf(json, "status"))
  if (number_id === null || number === null || status === undefined) return []
  return [{ number_id, number, status, sms: memberOf(json, "sms") === true }]
}

const listOf = (json: unknown): ReadonlyArray<unknown> | undefined => {
  const data = memberOf(json, "data")
  return Array.isArray(data) ? data : undefined
}

const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

const textOf = (json: unknown, name: string): string | null => {
  const value = memberOf(json, name)
  return typeof value === "string" && value !== "" ? value : null
}

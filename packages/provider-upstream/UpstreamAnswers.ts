import type { ChatAnswer, ChatCall } from "@carteiro/provider/ChatProvider.ts"
import { storableId } from "@carteiro/provider/VendorWords.ts"
import { Option } from "effect"
import type { UpstreamResult } from "./UpstreamCalls.ts"
import { deliveryCode, notSentReason, refusalOf } from "./UpstreamCodes.ts"
import { memberOf } from "./UpstreamJson.ts"

export { listOf, memberOf } from "./UpstreamJson.ts"

/** Returns the id of the message that a response names. */
const messageIdOf = (json: unknown): string | undefined => {
  const messages = memberOf(json, "messages")
  return Array.isArray(messages) ? Option.getOrUndefined(idOf(messages[0])) : undefined
}

const unreachable: ChatAnswer = { _tag: "NotSent", reason: "transient", code: "upstream_rejected", error: null }
const unknown: ChatAnswer = { _tag: "Unknown" }

/**
 * Returns the meaning of the response to a send. Only a certain refusal counts as one: after a cut connection, a late
 * or unreadable response, or a failing server without a code, the platform may have the message. gaps-2 E "Retry
 * policy", M-DLV-23
 */
export const sendAnswer = (result: UpstreamResult): ChatAnswer => {
  if (result._tag === "Broken") return result.began ? unknown : unreachable
  const { json, status } = result
  if (status >= 200 && status < 300) {
    const provider_message_id = messageIdOf(json)
    return provider_message_id === undefined ? unknown : { _tag: "Accepted", provider_message_id, response: json }
  }
  const error = refusalOf(memberOf(json, "error"), status)
  const code = error?.code ?? null
  // Only an error in the platform's own form, which has a number, proves that a failing server refused. U-SND-09
  if (status === 408 || (status >= 500 && code === null)) return unknown
  const refusal = { code: deliveryCode(code, status), error: error ?? bare(status) }
  const reason = notSentReason(code, memberOf(json, "error"))
  return reason !== undefined || status === 429 || status >= 500
    ? { _tag: "NotSent", reason: reason ?? "transient", ...refusal }
    : { _tag: "Rejected", ...refusal }
}

/**
 * Returns the meaning of the response to any other call; `read` takes the needed parts of the JSON, or none when they
 * are missing.
 */
export const callAnswer = <A>(result: UpstreamResult, read: (json: unknown) => Option.Option<A>): ChatCall<A> => {
  if (result._tag === "Broken") return { _tag: "Failed", error: null }
  const { json, status } = result
  if (status >= 200 && status < 300) {
    const value = read(json)
    return Option.isNone(value) ? { _tag: "Failed", error: null } : { _tag: "Done", value: value.value }
  }
  const error = refusalOf(memberOf(json, "error"), status)
  const code = error?.code ?? null
  const comesAgain =
    status === 408 || status === 429 || status >= 500 || notSentReason(code, memberOf(json, "error")) !== undefined
  return comesAgain
    ? { _tag: "Failed", error }
    : { _tag: "Refused", code: deliveryCode(code, status), error: error ?? bare(status) }
}

/** Makes a refusal without details. */
const bare = (http_status: number) => ({
  provider: "upstream",
  code: null,
  subcode: null,
  title: null,
  message: null,
  http_status
})

/** Reads a response that only reports success. */
export const succeeded = (json: unknown): Option.Option<void> =>
  memberOf(json, "success") === true ? Option.void : Option.none()

/** Returns the id in a response. */
export const idOf = (json: unknown): Option.Option<string> => Option.fromNullishOr(storableId(memberOf(json, "id")))
